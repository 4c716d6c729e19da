import type { Redis } from 'ioredis';
import type { Clock } from '../../ports/clock.js';
import type { HintStore, RateWindow } from '../../ports/hint-store.js';
import { createMemoryHintStore } from './memory-hint-store.js';

export interface RedisHintStoreOptions {
  readonly redis: Redis;
  /** Begins every key: several services may share a Redis. */
  readonly prefix: string;
  readonly clock: Clock;
}

/** Values carry their expiry by our clock, so that a test's clock counts. Redis drops them a while later. */
const KEPT_LONGER_MS = 60_000;
/** Redis may hold anything. A time further in the future than clocks can differ is ignored. */
const CLOCKS_DIFFER_MS = 3_600_000;

const ACQUIRE_SCRIPT = `
local value = redis.pcall('GET', KEYS[1])
if type(value) == 'string' then
  local owner, ends = string.match(value, '^(.*) (%d+)$')
  local left = tonumber(ends or 0) - tonumber(ARGV[2])
  if owner ~= ARGV[1] and left > 0 and left < tonumber(ARGV[4]) + ${CLOCKS_DIFFER_MS} then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[3], 'PX', ARGV[4])
return 1`;

const RELEASE = `
local value = redis.pcall('GET', KEYS[1])
if type(value) == 'string' and string.match(value, '^(.*) %d+$') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`;

/** A list of the times of all acts, oldest first, over the longest window. ARGV: now, acts, longest, then pairs of length and limit. */
const SPEND = `
local now, acts, longest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local function isOurs()
  if redis.call('TYPE', KEYS[1]).ok ~= 'list' then return false end
  for _, at in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
    if not ((tonumber(at) or 1/0) <= now + longest + ${CLOCKS_DIFFER_MS}) then return false end
  end
  return true
end
if not isOurs() then redis.call('DEL', KEYS[1]) end
while true do
  local oldest = redis.call('LINDEX', KEYS[1], 0)
  if not oldest or tonumber(oldest) > now - longest then break end
  redis.call('LPOP', KEYS[1])
end
local past = redis.call('LRANGE', KEYS[1], 0, -1)
local allowed = now
for i = 4, #ARGV, 2 do
  local ms, max = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local first = #past + 1
  while first > 1 and tonumber(past[first - 1]) > now - ms do first = first - 1 end
  local surplus = (#past - first + 1) + math.min(acts, max) - max
  if surplus > 0 then allowed = math.max(allowed, tonumber(past[first + surplus - 1] or now) + ms) end
end
if allowed > now then return tostring(allowed) end
for _ = 1, acts do redis.call('RPUSH', KEYS[1], now) end
redis.call('PEXPIRE', KEYS[1], longest + ${KEPT_LONGER_MS})
return false`;

/** Hints in Redis, shared by all instances. While Redis is away each process counts limits for itself; everything else fails. */
export function createRedisHintStore({ redis, prefix, clock }: RedisHintStoreOptions): HintStore {
  const own = createMemoryHintStore(clock);
  const name = (key: string): string => `${prefix}:hint:${key}`;
  return {
    get: async (key) => {
      const [, value, until] = /^(.*) (\d+)$/s.exec(await textAt(redis, name(key))) ?? [];
      return value === undefined || Number(until) <= clock.now() ? null : value;
    },
    set: async (key, value, ttlMs) => {
      await redis.set(name(key), `${value} ${clock.now() + ttlMs}`, 'PX', ttlMs + KEPT_LONGER_MS);
    },
    acquire: async (key, owner, ttlMs) => {
      const now = clock.now();
      const taken = await redis.eval(ACQUIRE_SCRIPT, 1, name(key), owner, now, now + ttlMs, ttlMs + KEPT_LONGER_MS);
      return taken === 1;
    },
    release: async (key, owner) => {
      await redis.eval(RELEASE, 1, name(key), owner);
    },
    spend: (key, acts, windows) =>
      redis.status === 'ready'
        ? spend(redis, name(key), { acts, windows, now: clock.now() })
        : own.spend(key, acts, windows),
  };
}

/** A key of another type counts as missing. */
async function textAt(redis: Redis, key: string): Promise<string> {
  try {
    return (await redis.get(key)) ?? '';
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return '';
    throw error;
  }
}

async function spend(
  redis: Redis,
  key: string,
  { acts, windows, now }: { readonly acts: number; readonly windows: readonly RateWindow[]; readonly now: number },
): Promise<number | null> {
  const longest = Math.max(0, ...windows.map(({ ms }) => ms));
  const pairs = windows.flatMap(({ ms, max }) => [ms, max]);
  const until = await redis.eval(SPEND, 1, key, now, acts, longest, ...pairs);
  return until === null ? null : Number(until);
}
