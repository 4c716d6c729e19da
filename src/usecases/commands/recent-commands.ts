import { formatRepo, type RepoRef } from '../../domain/issue/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
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
  const levels = new Map<string, { readonly level: AccessLevel; readonly until: Instant }>();
  const outcomes = new Map<string, CommandOutcome | 'answered'>();
  const key = (repo: RepoRef, actorId: number): string => `${formatRepo(repo).toLowerCase()} ${actorId}`;
  return {
    accessLevelOf: (repo, actorId) => {
      const known = levels.get(key(repo, actorId));
      return known === undefined || known.until <= clock.now() ? null : known.level;
    },
    rememberAccessLevel: (repo, actorId, level) => {
      if (level === 'write') levels.delete(key(repo, actorId));
      else put(levels, key(repo, actorId), { level, until: clock.now() + ACCESS_LEVEL_MS }, MOST_ACCESS_LEVELS);
    },
    outcomeOf: (commentId) => outcomes.get(commentId) ?? null,
    rememberOutcome: (commentId, outcome) => put(outcomes, commentId, outcome, MOST_OUTCOMES),
  };
}

/** As the newest entry; the oldest goes when there are too many. */
function put<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
