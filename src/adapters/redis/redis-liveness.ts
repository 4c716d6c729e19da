import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { type OwnerLife, UNKNOWN_OWNER } from '../../domain/state/lease-owner.js';
import type { Liveness } from '../../ports/liveness.js';

/** Longer than any lease. Until then an old sign tells "gone" from "never here". */
const KEPT_MS = 60 * 60_000;

/**
 * The store is the same while its random id is there and the same server process answers. A server restarted from an old dump would show
 * old signs of instances that are alive.
 */
const STORE = `
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
local function store() return (redis.call('GET', KEYS[1]) or '') .. '.' .. run end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: the store's id, the sign of life. ARGV: a new id, the value, how long it is kept. */
const BEAT = `${STORE}
redis.call('SET', KEYS[1], ARGV[1], 'NX')
redis.call('SET', KEYS[2], ARGV[2] .. ' ' .. now, 'PX', ARGV[3])
return store()`;

/** KEYS: the store's id, the sign. */
const READ_SCRIPT = `${STORE}
return {store(), redis.call('GET', KEYS[2]) or '', tostring(now)}`;

/** Signs of life in Redis, by its own clock. */
export function createRedisLiveness({ redis, prefix }: { readonly redis: Redis; readonly prefix: string }): Liveness {
  const keys = (owner: string): [string, string] => [`${prefix}:store`, `${prefix}:alive:${owner}`];
  const sign = async (owner: string, word: 'here' | 'left'): Promise<string> =>
    String(await redis.eval(BEAT, 2, ...keys(owner), randomUUID(), word, KEPT_MS));
  return {
    beat: (owner) => sign(owner, 'here'),
    leave: async (owner) => void (await sign(owner, 'left')),
    lifeOf: async (owner, store) => {
      const found = (await redis.eval(READ_SCRIPT, 2, ...keys(owner))) as readonly [string, string, string];
      return found[0] === store ? lifeFrom(found[1], Number(found[2])) : UNKNOWN_OWNER;
    },
  };
}

function lifeFrom(sign: string, now: number): OwnerLife {
  const [, word, at] = /^(here|left) (\d+)$/.exec(sign) ?? [];
  if (word === undefined) return UNKNOWN_OWNER;
  return word === 'left' ? { kind: 'left' } : { kind: 'seen', agoMs: Math.max(0, now - Number(at)) };
}
