import type { IssueRef } from '../domain/issue/ids.js';
import type { Instant } from '../domain/issue/instant.js';

/** Limits on requests by people. Hints: forgetting them only lets somebody ask again. */
export interface RequestQuota {
  /** When a newly requested issue may start: `null` for now, else after the issues before it. Reserves one place per issue. */
  reserveStart(ref: IssueRef): Promise<Instant | null>;
  readonly commandsPerHour: number;
  /** Counts a command, once even if it is delivered again. `null` when it is allowed, else when it will be. */
  countCommand(actorId: number, commentId: string): Promise<Instant | null>;
  /** Whether a person without permission gets an answer on an issue: for one comment an hour. */
  claimAnswer(ref: IssueRef, actorId: number, commentId: string): Promise<boolean>;
}
