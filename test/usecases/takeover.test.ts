import { beforeEach, describe, expect, test } from '@jest/globals';
import { handleEvent } from '../../src/usecases/handle-event.js';
import { next } from '../../src/usecases/drive.js';
import { observe } from '../../src/usecases/observe.js';
import { runReport } from '../../src/usecases/run-report.js';
import { deskEachTest } from '../support/desk-each-test.js';
import type { Desk } from '../support/desk.js';
import { type HeldAgent, heldAt } from '../support/held-agent.js';
import { MemoryLiveness } from '../support/memory-liveness.js';
import { type Mortal, mortal } from '../support/mortal.js';
import type { TestPocket } from '../support/pocket.js';
import { passTime } from '../support/quiet.js';

/* What becomes of an issue whose service dies in the middle of a phase: others go on soon, and nobody blames the issue. */

let p: TestPocket;
const openDesk = deskEachTest((pocket) => {
  p = pocket;
});
let shared: MemoryLiveness;
beforeEach(() => {
  shared = new MemoryLiveness(p.clock);
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Service {
  readonly desk: Desk;
  readonly life: Mortal;
  readonly held: HeldAgent;
}

/** A service that shares a store with the others and stays in the code phase until it is let go on. */
async function service(store = shared): Promise<Service> {
  const life = mortal();
  const held = heldAt('code');
  const desk = await openDesk({ agent: held.agent, engine: life.over, liveness: life.port(store) });
  return { desk, life, held };
}

/** Lets time pass in steps, so that whoever leaves signs of life does so. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10 * SECOND) await passTime(p, 10 * SECOND);
}

const touch = (desk: Desk, number: number): Promise<void> =>
  handleEvent(desk.instance.engine, { kind: 'touched', ref: { ...p.at, number } });

async function seenBy({ instance: { engine } }: Desk, number: number) {
  const snapshot = await observe(engine, { ...p.at, number });
  if (snapshot === null) throw new Error('it is gone');
  return { action: await next(engine, snapshot), report: await runReport(engine, snapshot) };
}

/** A service at work on the code of a new issue. */
async function atWork(): Promise<Service & { readonly number: number }> {
  const first = await service();
  const number = await first.desk.open('wren');
  first.desk.say('wren', number, '/auto').catch(() => undefined);
  await first.held.reached;
  return { ...first, number };
}

describe('a service that dies in the code phase', () => {
  test('is followed by another a minute later, without anybody asking GitHub for it', async () => {
    const { life, number } = await atWork();
    const second = await service();
    second.held.open();
    life.die();
    await touch(second.desk, number);
    await second.desk.instance.queue.idle();
    const before = p.pocket.journal.requests().length;
    await pass(20 * SECOND);
    const asked = p.pocket.journal.requests().slice(before);
    expect(asked.filter(({ surface }) => surface === 'graphql')).toEqual([]);
    expect((await seenBy(second.desk, number)).report.standing).toBe('running');
    await pass(20 * SECOND);
    const { action, report } = await seenBy(second.desk, number);
    expect(action).toMatchObject({ kind: 'wait', on: 'takeover' });
    expect(report).toMatchObject({ standing: 'waiting', lease: null });
    await pass(30 * SECOND);
    await second.desk.finish();
    expect(await second.desk.labels(number)).toContain('phase/done');
    const state = await second.desk.state(number);
    expect(state.counters).toMatchObject({ failures: 0, crashes: 0 });
  });

  test('whose store was emptied since is waited for to the end of its lease', async () => {
    const { life, number } = await atWork();
    const second = await service();
    life.die();
    shared.empty();
    await pass(3 * MINUTE);
    expect((await seenBy(second.desk, number)).action).toMatchObject({ kind: 'wait', on: 'lease' });
    await pass(13 * MINUTE);
    expect((await seenBy(second.desk, number)).report).toMatchObject({ lease: null, next: { action: 'effect' } });
  });

  test('is waited for to the end of its lease by one that has another store', async () => {
    const { life, number } = await atWork();
    const stranger = await service(new MemoryLiveness(p.clock));
    life.die();
    await pass(3 * MINUTE);
    expect((await seenBy(stranger.desk, number)).action).toMatchObject({
      kind: 'wait',
      on: 'lease',
      because: expect.stringContaining('cannot be seen from here'),
    });
  });
});

test('a service that answers keeps the issue, however long it takes', async () => {
  const { held, number } = await atWork();
  const second = await service();
  await touch(second.desk, number);
  await pass(4 * MINUTE);
  expect(second.desk.instance.runs()).toBe(0);
  held.open();
});

test('a service that ends in good order without giving the lease back is followed at once, and that is no crash', async () => {
  const { desk, number, life } = await atWork();
  const second = await service();
  second.held.open();
  await desk.close();
  life.die();
  await touch(second.desk, number);
  await second.desk.instance.queue.idle();
  const story = (await second.desk.state(number)).transitions;
  expect(story.filter(({ what, phase }) => what === 'taken' && phase === 'code')).toHaveLength(2);
  await second.desk.finish();
  expect(await second.desk.labels(number)).toContain('phase/done');
});

test('a service that was only suspended is refused when it is back, and its work is not landed twice', async () => {
  const { held, number, desk } = await atWork();
  // Suspended: it leaves no sign of life for a while, and everything of it still works afterwards.
  const second = await service();
  p.clock.advance(MINUTE);
  await shared.beat('nobody');
  await touch(second.desk, number);
  held.open();
  second.held.open();
  await second.desk.instance.queue.idle();
  await desk.instance.queue.idle();
  await second.desk.finish();
  expect(await second.desk.labels(number)).toContain('phase/done');
  const { data } = await p.rest('ada').rest.repos.listCommits({ ...p.at, per_page: 100 });
  expect(data.filter(({ commit }) => commit.message.includes('Sluice-Issue:'))).toHaveLength(1);
});

test('crashes are no failures of the issue: after five a person is asked, with growing pauses, and `/auto continue` goes on', async () => {
  const { life, desk, number } = await atWork();
  const pauses: number[] = [];
  let last = life;
  let seer = desk;
  for (let crash = 1; crash < 5; crash += 1) {
    last.die();
    const following = await service();
    const died = p.clock.now();
    // Nobody is told of more than there is: no failure, no end.
    for (let looks = 0; looks < 60 && !following.held.isReached(); looks += 1) {
      await pass(MINUTE);
      await touch(following.desk, number);
      await Promise.race([following.held.reached, following.desk.instance.queue.idle()]);
    }
    await following.held.reached;
    pauses.push(Math.round((p.clock.now() - died) / MINUTE));
    const { counters } = await following.desk.state(number);
    expect(counters).toMatchObject({ failures: 0, crashes: crash });
    last = following.life;
    seer = following.desk;
  }
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(pauses[0]).toBeLessThanOrEqual(2);
  expect(pauses[3]).toBeGreaterThanOrEqual(30);
  expect(await seer.labels(number)).toContain('auto/running');
  last.die();
  const final = await service();
  await pass(2 * MINUTE);
  await touch(final.desk, number);
  await final.desk.settle();
  expect(await final.desk.labels(number)).toContain('auto/needs-human');
  expect((await final.desk.state(number)).halt?.code).toBe('service-crashes');
  expect((await final.desk.said(number)).join('\n')).toContain('cut off 5 times while code ran');
  final.held.open();
  await final.desk.say('wren', number, '/auto continue');
  await final.desk.finish();
  expect(await final.desk.labels(number)).toContain('phase/done');
});
