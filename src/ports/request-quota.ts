import type { IssueRef } from '../domain/issue/ids.js';
import type { Instant } from '../domain/issue/instant.js';

/** Who may ask for how much. Hints: forgetting them only lets somebody ask again. */
export interface RequestQuota {
  /** When a newly requested issue may start: `null` for now, else the end of its repository's line. Takes the place, one for each issue. */
  reserveStart(ref: IssueRef): Promise<Instant | null>;
  readonly commandsPerHour: number;
  /** Counts a command, once however often it is heard; `null` when there is room for it, else when there will be. */
  countCommand(actorId: number, commentId: string): Promise<Instant | null>;
  /** Whether somebody who may not do what they asked for is answered on an issue: for one comment an hour. */
  claimAnswer(ref: IssueRef, actorId: number, commentId: string): Promise<boolean>;
}
