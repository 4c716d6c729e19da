import { describe, expect, test } from '@jest/globals';
import { createGitHub } from '../../../../../src/adapters/github/github.js';
import type { Answer } from '../../../../../src/adapters/github/client/errors.js';
import { createRateLimits, type RateLimits } from '../../../../../src/adapters/github/client/rate-limits.js';
import { createMemoryHintStore } from '../../../../../src/adapters/redis/memory-hint-store.js';
import type { RequestEffect } from '#pocket-github';
import type { GitHub } from '../../../../../src/ports/github.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { appIdentity, appTokens, NO_HINTS } from '../../../../support/github/github-adapter.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { RecordingLog } from '../../../../support/recording-log.js';

let p: TestPocket;
let github: GitHub;
let limits: RateLimits;
freshPocketEachTest(
  (pocket) => {
    p = pocket;
  },
  async (pocket) => void (await pocket.rest('ada').rest.issues.create({ ...pocket.at, title: 'Grow' })),
);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ref = { owner: 'ada', repo: 'sandbox', number: 1 };

function connect(): void {
  const { api: apiUrl } = p.pocket.urls;
  const { clock } = p;
  const log = new RecordingLog();
  // What an earlier test has used up is given back.
  clock.advance(61 * MINUTE);
  limits = createRateLimits({ clock, log, hints: createMemoryHintStore(clock) });
  github = createGitHub({
    apiUrl,
    tokens: appTokens(p),
    identity: appIdentity(p),
    clock,
    log,
    limits,
  });
}

const look = () => github.snapshot(ref, NO_HINTS);

const WRITE = { budget: 'graphql', writes: 1 } as const;
const ANSWER = { status: 200, headers: {}, data: {}, at: 0 };

const send = (writes: number): Promise<'sent' | 'too early'> =>
  limits
    .through('payer', { ...WRITE, writes }, async () => ANSWER)
    .then(
      () => 'sent' as const,
      () => 'too early' as const,
    );

const tick = async (): Promise<'waiting'> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  return 'waiting';
};

const struckBy = (effect: RequestEffect, times = 1): number =>
  p.pocket.faults.arm({ on: 'request', match: { surface: 'graphql' }, occurrence: { times }, effect });

describe('writes of an installation', () => {
  test('are never more than eighty a minute and five hundred an hour, and a second apart when there are many', async () => {
    connect();
    const start = p.clock.now();
    const sent: number[] = [];
    limits.assignKey('payer', ref);
    while (p.clock.now() < start + 70 * MINUTE) {
      const outcome = send(1);
      // As often as it wants to wait a moment, a moment passes.
      for (let waits = 0; (await Promise.race([outcome, tick()])) === 'waiting'; waits += 1) {
        if (waits > 2 * 60 * 60) throw new Error('a write waits for more than an hour');
        p.clock.advance(SECOND / 2);
      }
      if ((await outcome) === 'sent') sent.push(p.clock.now());
      else expect(limits.holdFor(ref)).toMatchObject({ on: 'github-limit', until: expect.any(Number) });
      if ((await outcome) === 'too early') p.clock.advance(MINUTE);
    }
    const within = (ms: number) =>
      Math.max(...sent.map((at) => sent.filter((one) => one > at - ms && one <= at).length));
    expect({ minute: within(MINUTE) <= 80, hour: within(60 * MINUTE) }).toEqual({ minute: true, hour: 500 });
    expect(sent.slice(40, 79).every((at, index) => at - (sent[39 + index] ?? 0) >= SECOND)).toBe(true);
  });

  test('count every new thing they leave behind', async () => {
    connect();
    expect([await send(79), await send(1), await send(1)]).toEqual(['sent', 'sent', 'too early']);
  });

  test('that had to wait in line too long are not sent: what they were about may have changed', async () => {
    connect();
    const held: (() => void)[] = [];
    const first = limits.through(
      'payer',
      WRITE,
      () => new Promise<Answer>((resolve) => held.push(() => resolve(ANSWER))),
    );
    const second = limits.through('payer', WRITE, async () => ANSWER);
    await tick();
    p.clock.advance(11 * SECOND);
    for (const release of held) release();
    await first;
    await expect(second).rejects.toMatchObject({ problem: 'transient' });
  });

  test('keep neither reads waiting nor the writes of others', async () => {
    connect();
    const held: (() => void)[] = [];
    const first = limits.through(
      'payer',
      WRITE,
      () => new Promise<Answer>((resolve) => held.push(() => resolve(ANSWER))),
    );
    const order: string[] = [];
    const second = limits.through('payer', WRITE, async () => ANSWER).then(() => order.push('second write'));
    await limits.through('payer', { ...WRITE, writes: 0 }, async () => ANSWER).then(() => order.push('read'));
    await limits.through('another', WRITE, async () => ANSWER).then(() => order.push('another’s write'));
    for (const release of held) release();
    await Promise.all([first, second]);
    expect(order).toEqual(['read', 'another’s write', 'second write']);
  });
});

describe('a limit GitHub enforces', () => {
  const requests = (seq: number): number =>
    p.pocket.journal.requests(seq).filter(({ surface }) => surface === 'graphql').length;

  test('used up for the hour: nothing is asked until it is over, it shows, and then goes on by itself', async () => {
    connect();
    await look();
    struckBy({ kind: 'primary-limit' });
    await expect(look()).rejects.toMatchObject({ problem: 'rate-limited' });
    const seq = p.pocket.journal.lastSeq();
    const hold = limits.holdFor({ owner: 'Ada', repo: 'Sandbox' });
    expect(hold).toMatchObject({ on: 'github-limit', because: expect.stringContaining('used up') });
    const until = hold?.until ?? 0;
    expect(until - p.clock.now()).toBeGreaterThan(58 * MINUTE);
    p.clock.advance(until - p.clock.now() - 1);
    await expect(look()).rejects.toMatchObject({ problem: 'rate-limited', until });
    expect(requests(seq)).toBe(0);
    p.clock.advance(1);
    await expect(look()).resolves.not.toBeNull();
    expect(limits.holdFor(ref)).toBeNull();
  });

  test('on the last request there is: the next one is not even tried', async () => {
    connect();
    await look();
    p.pocket.faults.arm({
      on: 'request',
      match: { surface: 'graphql' },
      occurrence: { nth: 1 },
      effect: { kind: 'status', status: 200, when: 'after', headers: { 'x-ratelimit-remaining': '0' } },
    });
    await look().catch(() => undefined);
    const seq = p.pocket.journal.lastSeq();
    await expect(look()).rejects.toMatchObject({ problem: 'rate-limited' });
    expect(requests(seq)).toBe(0);
  });

  test('for asking too much at once: waits as long as it is told, for everything', async () => {
    connect();
    await look();
    struckBy({ kind: 'secondary-limit', status: 403, retryAfterSeconds: 90 });
    await expect(look()).rejects.toMatchObject({ problem: 'rate-limited' });
    const seq = p.pocket.journal.lastSeq();
    p.clock.advance(90 * SECOND);
    await expect(look()).rejects.toMatchObject({ problem: 'rate-limited' });
    await expect(github.roleOf(p.at, { id: p.users.ada.id, login: 'ada' })).rejects.toMatchObject({
      problem: 'rate-limited',
    });
    expect(p.pocket.journal.requests(seq)).toEqual([]);
    p.clock.advance(SECOND);
    await expect(look()).resolves.not.toBeNull();
  });

  test('without a time: a minute, and twice as long each time; one request finds out', async () => {
    connect();
    await look();
    const fault = struckBy({ kind: 'secondary-limit', status: 429, retryAfterSeconds: null }, 100);
    await look().catch(() => undefined);
    for (const wait of [1, 2, 4, 8, 16, 16]) {
      const seq = p.pocket.journal.lastSeq();
      p.clock.advance(wait * MINUTE - 1);
      await look().catch(() => undefined);
      expect(requests(seq)).toBe(0);
      p.clock.advance(1);
      await Promise.all(Array.from({ length: 10 }, () => look().catch(() => undefined)));
      expect(requests(seq)).toBe(1);
    }
    p.pocket.faults.disarm(fault);
    p.clock.advance(16 * MINUTE);
    await expect(look()).resolves.not.toBeNull();
    await expect(look()).resolves.not.toBeNull();
  });
});
