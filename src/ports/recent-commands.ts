import type { AccessLevel } from '../domain/issue/access-level.js';
import type { RepoRef } from '../domain/issue/ids.js';

/** What came of a command, as it is to be told. */
export interface CommandOutcome {
  readonly reaction: 'ROCKET' | 'CONFUSED';
  /** What there is to say besides. */
  readonly texts: readonly string[];
}

/** What this process found out a moment ago about commands. All of it may be forgotten: it is found out again. */
export interface RecentCommands {
  /** Who somebody was found to be, if they may not do everything. It may refuse and never permits: for that GitHub is asked. */
  accessLevelOf(repo: RepoRef, actorId: number): AccessLevel | null;
  rememberAccessLevel(repo: RepoRef, actorId: number, level: AccessLevel): void;
  /** Of a command that was carried out and may not have been answered yet. It must not be carried out again for the sake of the answer. */
  outcomeOf(commentId: string): CommandOutcome | 'answered' | null;
  rememberOutcome(commentId: string, outcome: CommandOutcome | 'answered'): void;
}
