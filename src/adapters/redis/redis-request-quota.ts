import type { Redis } from 'ioredis';
import { formatIssue, formatRepo } from '../../domain/issue/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import type { RequestQuota } from '../../ports/request-quota.js';

const HOUR_MS = 60 * 60_000;
const LONGEST_LINE_MS = 400 * 24 * HOUR_MS;

export interface RequestQuotaLimits {
  /** Newly requested issues a repository may start in an hour. */
  readonly startsPerHour: number;
  /** Commands a person may give in an hour. */
  readonly commandsPerHour: number;
}

export const DEFAULT_REQUEST_QUOTA: RequestQuotaLimits = { startsPerHour: 2, commandsPerHour: 10 };

/**
 * Slots in a queue: a sorted set of taken times. The next free time is now, or an hour after the n-th last one. A slot once taken stays.
 * KEYS[1] the queue; ARGV now, slots per hour, an hour, who asks, whether to take a slot, and the time beyond which stored slots are
 * ignored, because Redis may hold anything.
 */
const TAKE = `
local now, most, span = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then redis.call('DEL', KEYS[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - span)
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + tonumber(ARGV[6]), '+inf')
local has = redis.call('ZSCORE', KEYS[1], ARGV[4])
if has then return has end
local taken = redis.call('ZCARD', KEYS[1])
local at = now
if taken >= most then
  local before = redis.call('ZRANGE', KEYS[1], taken - most, taken - most, 'WITHSCORES')
  at = math.max(now, tonumber(before[2]) + span)
end
if at == now or ARGV[5] == 'yes' then
  redis.call('ZADD', KEYS[1], at, ARGV[4])
  redis.call('PEXPIRE', KEYS[1], at - now + span)
end
return tostring(at)
`;

/** Quotas counted in Redis, for all instances together. */
export function createRequestQuota(
  { redis, prefix, clock }: { readonly redis: Redis; readonly prefix: string; readonly clock: Clock },
  limits: RequestQuotaLimits,
): RequestQuota {
  const take = async (line: string, most: number, who: string, stand: boolean): Promise<Instant | null> => {
    const now = clock.now();
    const args = [String(now), String(most), String(HOUR_MS), who, stand ? 'yes' : 'no', String(LONGEST_LINE_MS)];
    const at = Number(await redis.eval(TAKE, 1, `${prefix}:quota:${line}`, ...args));
    return at <= now ? null : at;
  };
  return {
    commandsPerHour: limits.commandsPerHour,
    reserveStart: (ref) =>
      take(`start:${formatRepo(ref).toLowerCase()}`, limits.startsPerHour, String(ref.number), true),
    claimAnswer: async (ref, accountId, commentId) =>
      (await take(`answer:${accountId}:${formatIssue(ref).toLowerCase()}`, 1, commentId, false)) === null,
    countCommand: (accountId, commentId) => take(`command:${accountId}`, limits.commandsPerHour, commentId, false),
  };
}
