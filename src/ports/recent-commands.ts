import type { AccessLevel } from '../domain/issue/access-level.js';
import type { RepoRef } from '../domain/issue/ids.js';

/** The result of a command, as the answer to its author. */
export interface CommandOutcome {
  readonly reaction: 'ROCKET' | 'CONFUSED';
  /** Texts to answer with. */
  readonly texts: readonly string[];
}

/** A short-term cache of this process about commands. All of it may be forgotten and is then computed again. */
export interface RecentCommands {
  /** The remembered access level of a person with limited rights. It may only refuse; to permit, GitHub is asked. */
  accessLevelOf(repo: RepoRef, actorId: number): AccessLevel | null;
  rememberAccessLevel(repo: RepoRef, actorId: number, level: AccessLevel): void;
  /** The result of a command that was carried out but perhaps not answered yet. It must not be carried out again just to answer. */
  outcomeOf(commentId: string): CommandOutcome | 'answered' | null;
  rememberOutcome(commentId: string, outcome: CommandOutcome | 'answered'): void;
}
