import { beforeEach, describe, expect, test } from '@jest/globals';
import { handleEvent } from '../../../src/usecases/commands/handle-event.js';
import { decideNext } from '../../../src/usecases/reconcile/reconcile.js';
import { observe } from '../../../src/usecases/issue/observe.js';
import { runReport } from '../../../src/usecases/report/run-report.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { type HeldAgent, agentHeldAt } from '../../support/agent/held-agent.js';
import { MemoryLiveness } from '../../support/memory/memory-liveness.js';
import { type KillableEngine, killableEngine } from '../../support/service/killable-engine.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { passTime } from '../../support/github/pass-time.js';

/* What becomes of an issue whose service dies in the middle of a phase: others go on soon, and nobody blames the issue. */

let p: TestPocket;
const openHarness = engineHarnessEachTest((pocket) => {
  p = pocket;
});
let shared: MemoryLiveness;
beforeEach(() => {
  shared = new MemoryLiveness(p.clock);
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Service {
  readonly harness: EngineHarness;
  readonly life: KillableEngine;
  readonly held: HeldAgent;
}

/** A service that shares a store with the others and stays in the code phase until it is let go on. */
async function service(store = shared): Promise<Service> {
  const life = killableEngine();
  const held = agentHeldAt('code');
  const harness = await openHarness({ agent: held.agent, engine: life.wrapEngine, liveness: life.wrapPort(store) });
  return { harness, life, held };
}

/** Lets time pass in steps, so that whoever leaves signs of life does so. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10 * SECOND) await passTime(p, 10 * SECOND);
}

const touch = (harness: EngineHarness, number: number): Promise<void> =>
  handleEvent(harness.instance.engine, { kind: 'touched', ref: { ...p.at, number } });

async function seenBy({ instance: { engine } }: EngineHarness, number: number) {
  const snapshot = await observe(engine, { ...p.at, number });
  if (snapshot === null) throw new Error('it is gone');
  return { action: await decideNext(engine, snapshot), report: await runReport(engine, snapshot) };
}

/** A service at work on the code of a new issue. */
async function atWork(): Promise<Service & { readonly number: number }> {
  const first = await service();
  const number = await first.harness.open('wren');
  first.harness.say('wren', number, '/auto').catch(() => undefined);
  await first.held.reached;
  return { ...first, number };
}

describe('a service that dies in the code phase', () => {
  test('is followed by another a minute later, without anybody asking GitHub for it', async () => {
    const { life, number } = await atWork();
    const second = await service();
    second.held.open();
    life.kill();
    await touch(second.harness, number);
    await second.harness.instance.queue.idle();
    const before = p.pocket.journal.requests().length;
    await pass(20 * SECOND);
    const asked = p.pocket.journal.requests().slice(before);
    expect(asked.filter(({ surface }) => surface === 'graphql')).toEqual([]);
    expect((await seenBy(second.harness, number)).report.status).toBe('running');
    await pass(20 * SECOND);
    const { action, report } = await seenBy(second.harness, number);
    expect(action).toMatchObject({ kind: 'wait', on: 'takeover' });
    expect(report).toMatchObject({ status: 'waiting', lease: null });
    await pass(30 * SECOND);
    await second.harness.finish();
    expect(await second.harness.labels(number)).toContain('phase/done');
    const state = await second.harness.state(number);
    expect(state.counters).toMatchObject({ failures: 0, crashes: 0 });
  });

  test('whose store was emptied since is waited for to the end of its lease', async () => {
    const { life, number } = await atWork();
    const second = await service();
    life.kill();
    shared.empty();
    await pass(3 * MINUTE);
    expect((await seenBy(second.harness, number)).action).toMatchObject({ kind: 'wait', on: 'lease' });
    await pass(13 * MINUTE);
    expect((await seenBy(second.harness, number)).report).toMatchObject({ lease: null, next: { action: 'effect' } });
  });

  test('is waited for to the end of its lease by one that has another store', async () => {
    const { life, number } = await atWork();
    const stranger = await service(new MemoryLiveness(p.clock));
    life.kill();
    await pass(3 * MINUTE);
    expect((await seenBy(stranger.harness, number)).action).toMatchObject({
      kind: 'wait',
      on: 'lease',
      because: expect.stringContaining('cannot be seen from here'),
    });
  });
});

test('a service that answers keeps the issue, however long it takes', async () => {
  const { held, number } = await atWork();
  const second = await service();
  await touch(second.harness, number);
  await pass(4 * MINUTE);
  expect(second.harness.instance.runs()).toBe(0);
  held.open();
});

test('a service that ends in good order without giving the lease back is followed at once, and that is no crash', async () => {
  const { harness, number, life } = await atWork();
  const second = await service();
  second.held.open();
  await harness.close();
  life.kill();
  await touch(second.harness, number);
  await second.harness.instance.queue.idle();
  const story = (await second.harness.state(number)).transitions;
  expect(story.filter(({ kind, phase }) => kind === 'taken' && phase === 'code')).toHaveLength(2);
  await second.harness.finish();
  expect(await second.harness.labels(number)).toContain('phase/done');
});

test('a service that was only suspended is refused when it is back, and its work is not landed twice', async () => {
  const { held, number, harness } = await atWork();
  // Suspended: it leaves no sign of life for a while, and everything of it still works afterwards.
  const second = await service();
  p.clock.advance(MINUTE);
  await shared.beat('nobody');
  await touch(second.harness, number);
  held.open();
  second.held.open();
  await second.harness.instance.queue.idle();
  await harness.instance.queue.idle();
  await second.harness.finish();
  expect(await second.harness.labels(number)).toContain('phase/done');
  const { data } = await p.rest('ada').rest.repos.listCommits({ ...p.at, per_page: 100 });
  expect(data.filter(({ commit }) => commit.message.includes('Sluice-Issue:'))).toHaveLength(1);
});

test('crashes are no failures of the issue: after five a person is asked, with growing pauses, and `/auto continue` goes on', async () => {
  const { life, harness, number } = await atWork();
  const pauses: number[] = [];
  let last = life;
  let seer = harness;
  for (let crash = 1; crash < 5; crash += 1) {
    last.kill();
    const following = await service();
    const died = p.clock.now();
    // Nobody is told of more than there is: no failure, no end.
    for (let looks = 0; looks < 60 && !following.held.isReached(); looks += 1) {
      await pass(MINUTE);
      await touch(following.harness, number);
      await Promise.race([following.held.reached, following.harness.instance.queue.idle()]);
    }
    await following.held.reached;
    pauses.push(Math.round((p.clock.now() - died) / MINUTE));
    const { counters } = await following.harness.state(number);
    expect(counters).toMatchObject({ failures: 0, crashes: crash });
    last = following.life;
    seer = following.harness;
  }
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses[0]).toBeLessThanOrEqual(2);
  expect(pauses[3]).toBeGreaterThanOrEqual(30);
  expect(await seer.labels(number)).toContain('auto/running');
  last.kill();
  const final = await service();
  await pass(2 * MINUTE);
  await touch(final.harness, number);
  await final.harness.settle();
  expect(await final.harness.labels(number)).toContain('auto/needs-human');
  expect((await final.harness.state(number)).halt?.code).toBe('service-crashes');
  expect((await final.harness.said(number)).join('\n')).toContain('cut off 5 times while code ran');
  final.held.open();
  await final.harness.say('wren', number, '/auto continue');
  await final.harness.finish();
  expect(await final.harness.labels(number)).toContain('phase/done');
});
