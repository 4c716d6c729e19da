import { formatRepo, type RepoRef } from '../../domain/issue/ids.js';
import type { Clock } from '../../ports/clock.js';
import type { Instant } from '../../domain/issue/instant.js';
import type { AccessLevel } from '../../domain/issue/access-level.js';
import type { CommandOutcome, RecentCommands } from '../../ports/recent-commands.js';

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
