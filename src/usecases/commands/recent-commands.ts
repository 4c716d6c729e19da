import { createExpiringLru } from '../../cache/expiring-lru.js';
import { createLru } from '../../cache/lru.js';
import { formatRepo, type RepoRef } from '../../domain/issue/ids.js';
import type { Clock } from '../../ports/clock.js';
import type { AccessLevel } from '../../domain/issue/access-level.js';
import type { CommandOutcome, RecentCommands } from '../../ports/recent-commands.js';

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
