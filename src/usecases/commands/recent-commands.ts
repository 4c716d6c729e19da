import { createExpiringLru } from '../../cache/expiring-lru.js';
import { createLru } from '../../cache/lru.js';
import { formatRepo, type RepoRef } from '../../domain/issue/ids.js';
import type { Clock } from '../../ports/clock.js';
import type { AccessLevel } from '../issue/access-level.js';

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

const ACCESS_LEVEL_MS = 60_000;
const MOST_ACCESS_LEVELS = 10_000;
const MOST_OUTCOMES = 2_000;

export function createRecentCommands(clock: Clock): RecentCommands {
  const levels = createExpiringLru<AccessLevel>(clock, MOST_ACCESS_LEVELS);
  const outcomes = createLru<CommandOutcome | 'answered'>(MOST_OUTCOMES);
  const key = (repo: RepoRef, actorId: number): string => `${formatRepo(repo).toLowerCase()} ${actorId}`;
  return {
    accessLevelOf: (repo, actorId) => levels.get(key(repo, actorId)) ?? null,
    rememberAccessLevel: (repo, actorId, level) => {
      if (level === 'write') levels.delete(key(repo, actorId));
      else levels.set(key(repo, actorId), level, ACCESS_LEVEL_MS);
    },
    outcomeOf: (commentId) => outcomes.get(commentId) ?? null,
    rememberOutcome: (commentId, outcome) => outcomes.set(commentId, outcome),
  };
}
