import { describe, expect, test } from '@jest/globals';
import { createMemoryHintStore } from '../../../src/adapters/redis/memory-hint-store.js';
import type { Oid } from '../../../src/domain/issue/ids.js';
import type { Agent } from '../../../src/ports/agent.js';
import { observe } from '../../../src/usecases/issue/observe.js';
import { issueActions } from '../../support/github/issue-actions.js';
import type { EngineHarness, EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { stateTampering } from '../../support/github/state-tampering.js';

/* B1, B2, B2b, B6b, B8: somebody who may push puts an older state of ours back, which is signed and was true once. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});
const { by, edit, openPausedRun } = issueActions(() => p);
const tampering = stateTampering(() => p);

const reading = async (harness: EngineHarness, number: number) =>
  (await observe(harness.instance.engine, { ...p.at, number }))?.reading;
const status = async (harness: EngineHarness, number: number): Promise<string> =>
  (await harness.said(number)).find((body) => body.startsWith('<!-- sluice:status -->')) ?? '';
const commitsOnMain = async (): Promise<number> =>
  (await p.rest('ada').rest.repos.listCommits({ ...p.at })).data.length;
/** Anything that makes Sluice look. */
const look = (harness: EngineHarness, number: number): Promise<void> => harness.say('wren', number, '/auto status');

/** Who looks after the theft: the service itself, or one that was started after Redis was emptied. */
const LOOKERS: readonly (readonly [
  string,
  (harness: EngineHarness, options?: EngineHarnessOptions) => Promise<EngineHarness>,
])[] = [
  ['with what Redis remembers', async (harness) => harness],
  ['with an empty Redis, by its status comment', async (_, options = {}) => atWork(options)],
];

/** An agent whose code is never any good. */
const useless = (usual: Agent): Agent => ({
  run: async (job) => {
    const outcome = await usual.run(job);
    return job.phase === 'code' && outcome.kind === 'succeeded' ? { ...outcome, result: {} } : outcome;
  },
});

describe.each(LOOKERS)('an older state put back, %s,', (_, lookerOf) => {
  const expectAlarm = async (harness: EngineHarness, number: number): Promise<void> => {
    expect(await status(harness, number)).toContain('### Stopped: the state of this issue cannot be trusted');
    expect(await status(harness, number)).toContain('somebody put an older state back');
    expect(await harness.labels(number)).toContain('auto/needs-human');
    expect(await harness.labels(number)).not.toContain('auto/running');
  };

  test('does not lift a stop; a permitted person starts afresh, in an epoch after all others', async () => {
    const harness = await atWork();
    const number = await openPausedRun(harness);
    const { epoch } = await harness.state(number);
    await tampering.put(number, (await tampering.history(number)).at(-1) ?? '');
    const looker = await lookerOf(harness);
    await look(looker, number);
    expect(looker.instance.runs()).toBe(0);
    await expectAlarm(looker, number);
    await looker.say('wren', number, '/auto');
    await looker.finish();
    expect(await looker.labels(number)).toContain('phase/done');
    expect((await looker.state(number)).epoch).toBeGreaterThan(epoch);
  });

  test('does not lower what was spent', async () => {
    const harness = await atWork({ size: 'M' });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto --stop-at spec');
    await harness.finish();
    const history = await tampering.history(number);
    const cheaper = history[Math.floor(history.length / 2)] ?? '';
    await tampering.put(number, cheaper);
    const looker = await lookerOf(harness);
    const runs = looker.instance.runs();
    await look(looker, number);
    expect(await reading(looker, number)).toMatchObject({ kind: 'unverifiable', oid: cheaper });
    expect(looker.instance.runs()).toBe(runs);
    await expectAlarm(looker, number);
  });

  test('does not make a done issue land its work again', async () => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    await harness.finish();
    const landed = await commitsOnMain();
    const history = await tampering.history(number);
    await tampering.put(number, history[history.length - 4] ?? '');
    await edit('wren', number, { state: 'open' });
    const looker = await lookerOf(harness);
    const runs = looker.instance.runs();
    await look(looker, number);
    await looker.finish();
    expect([looker.instance.runs(), await commitsOnMain()]).toEqual([runs, landed]);
    await expectAlarm(looker, number);
  });

  test('does not give back runs that were used up', async () => {
    const harness = await atWork({ agent: useless });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto --max-iterations 2');
    await harness.finish();
    expect((await harness.state(number)).counters.agentRuns).toBe(2);
    await tampering.put(number, (await tampering.history(number)).at(-2) ?? '');
    const looker = await lookerOf(harness, { agent: useless });
    const runs = looker.instance.runs();
    await look(looker, number);
    await looker.finish();
    expect(looker.instance.runs()).toBe(runs);
    await expectAlarm(looker, number);
  });

  test('does not count as the newest when it is merged over it, which takes no force', async () => {
    const harness = await atWork();
    const number = await openPausedRun(harness);
    const merged = await tampering.mergeOver(number, (await tampering.history(number)).at(-2) ?? '');
    const looker = await lookerOf(harness);
    await look(looker, number);
    expect(await reading(looker, number)).toMatchObject({
      kind: 'unverifiable',
      oid: merged,
      why: expect.stringContaining('more than one parent'),
    });
    expect(looker.instance.runs()).toBe(0);
  });

  test('is found out in the same epoch too, and so is a sibling that was signed before', async () => {
    const harness = await atWork();
    const number = await openPausedRun(harness);
    const [newest, before] = await tampering.history(number);
    const sibling = await signedOn(harness, number, before ?? '');
    for (const oid of [before, sibling]) {
      await tampering.put(number, oid ?? '');
      const looker = await lookerOf(harness);
      await look(looker, number);
      expect(await reading(looker, number)).toMatchObject({ kind: 'unverifiable', oid });
      expect(looker.instance.runs()).toBe(0);
      await tampering.put(number, newest ?? '');
    }
  });
});

/** A state that Sluice itself signed on top of an older one, and that never was the newest; everybody else was faster. */
async function signedOn(harness: EngineHarness, number: number, parent: Oid): Promise<Oid> {
  const newest = tampering.tip(number);
  await tampering.put(number, parent);
  // Signed by another instance with the same key, which remembers nothing.
  const other = await atWork();
  const { engine } = other.instance;
  const state = await harness.state(number).catch(() => null);
  expect(state).toBeNull();
  const subject = { ref: { ...p.at, number }, repositoryDatabaseId: p.repository.id };
  const before = await engine.states.read(subject, null);
  if (before.kind !== 'valid') throw new Error('nothing to build on');
  const next = { ...before.state, halt: null, pendingRequest: null };
  const swapped = await engine.states.swap({ subject, expected: parent, next, because: 'somebody was faster' });
  if (swapped.kind !== 'swapped') throw new Error(swapped.kind);
  await tampering.put(number, newest);
  return swapped.oid;
}

describe('who puts back both the state and the status comment', () => {
  test('is found out by what Redis remembers', async () => {
    const hints = createMemoryHintStore(p.clock);
    const harness = await atWork({ hints });
    const number = await harness.open('mallory');
    await harness.say('wren', number, '/auto --stop-at issue');
    const [old, before] = [tampering.tip(number), await status(harness, number)];
    await harness.say('wren', number, '/auto');
    await harness.say('wren', number, '/auto pause');
    await tampering.put(number, old);
    const { data } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: number });
    const id = data.find(({ body }) => body?.startsWith('<!-- sluice:status -->'))?.id ?? 0;
    await by('wren').rest.issues.updateComment({ ...p.at, comment_id: id, body: before });
    const looker = await atWork({ hints });
    await look(looker, number);
    expect(await reading(looker, number)).toMatchObject({ kind: 'unverifiable', oid: old });
  });
});

describe('a state ref that was deleted', () => {
  test('in the middle of a run ends it, and only /auto starts again, in a later epoch', async () => {
    const harness = await atWork();
    const number = await openPausedRun(harness);
    const { epoch } = await harness.state(number);
    await tampering.remove(number);
    await look(harness, number);
    expect(await reading(harness, number)).toMatchObject({ kind: 'unverifiable', oid: null });
    expect(await status(harness, number)).toContain('its ref was deleted before the issue was done');
    await harness.say('wren', number, '/auto');
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
    expect((await harness.state(number)).epoch).toBeGreaterThan(epoch);
  });

  test('on a done issue is no reason for an alarm, and a new run counts on', async () => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    await harness.finish();
    const { epoch } = await harness.state(number);
    await tampering.remove(number);
    await look(harness, number);
    expect(await reading(harness, number)).toMatchObject({ kind: 'none' });
    expect(await status(harness, number)).toContain('### Done');
    await edit('wren', number, { state: 'open' });
    await harness.say('wren', number, '/auto');
    await harness.settle();
    expect((await harness.state(number)).epoch).toBeGreaterThan(epoch);
  });
});

describe('the way out', () => {
  test('is also to put the newest state back and to look', async () => {
    const harness = await atWork();
    const number = await openPausedRun(harness);
    const [newest = '', ...older] = await tampering.history(number);
    await tampering.put(number, older.at(-1) ?? '');
    await look(harness, number);
    expect(await status(harness, number)).toContain(newest);
    await tampering.put(number, newest);
    await harness.say('wren', number, '/auto status');
    expect(await status(harness, number)).toContain('### Paused');
    expect(await harness.labels(number)).toContain('auto/paused');
  });
});

describe('nobody is suspected', () => {
  test('because GitHub’s answers lag behind what another instance wrote', async () => {
    const hints = createMemoryHintStore(p.clock);
    const first = await atWork({ hints });
    const number = await first.open('wren');
    await first.say('wren', number, '/auto --stop-at issue');
    p.clock.advance(1_000);
    await first.say('wren', number, '/auto');
    const newest = tampering.tip(number);
    const second = await atWork({ hints });
    const effect = { kind: 'stale', lagMs: 1_500 } as const;
    const match = { operation: 'IssueSnapshot' };
    const lag = p.pocket.faults.arm({ on: 'request', match, occurrence: { always: true }, effect });
    const seen = await reading(second, number);
    p.pocket.faults.disarm(lag);
    expect(seen).toMatchObject({ kind: 'valid', oid: newest });
  });

  test('because Redis forgot everything while a run was going', async () => {
    const harness = await atWork({ size: 'M' });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto --stop-at spec');
    await harness.finish();
    // Of an epoch that has gone on since the comment was written: git tells that it came after.
    const newest = tampering.tip(number);
    const later = await atWork({ size: 'M' });
    expect(await reading(later, number)).toMatchObject({ kind: 'valid', oid: newest });
    await later.say('wren', number, '/auto');
    await later.finish();
    expect(await later.labels(number)).toContain('phase/done');
  });
});

describe('the seal in the status comment', () => {
  const seal = /<!-- sluice:seen \d+ [0-9a-f]{40} (?:done|open) \d+ k1 [0-9a-f]{64} -->$/;

  test('is written again when somebody takes it out or forges it', async () => {
    const harness = await atWork();
    const number = await openPausedRun(harness);
    const { data } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: number });
    const comment = data.find(({ body }) => body?.startsWith('<!-- sluice:status -->'));
    const [body, comment_id] = [comment?.body ?? '', comment?.id ?? 0];
    expect(body).toMatch(seal);
    const [lower, none] = [body.replace(/seen \d+/, 'seen 0'), body.replace(/\n\n<!-- sluice:seen.*$/, '')];
    for (const forged of [lower, none]) {
      expect(forged).not.toBe(body);
      await by('wren').rest.issues.updateComment({ ...p.at, comment_id, body: forged });
      await harness.settle();
      expect(await status(harness, number)).toBe(body);
    }
  });

  test('alone is no reason to edit the comment', async () => {
    const harness = await atWork();
    const number = await openPausedRun(harness);
    const before = await status(harness, number);
    const { engine } = harness.instance;
    const seen = await observe(engine, { ...p.at, number });
    if (seen?.reading.kind !== 'valid') throw new Error('there is no state');
    const { state, oid } = seen.reading;
    const subject = { ref: seen.ref, repositoryDatabaseId: seen.repositoryDatabaseId };
    await engine.states.swap({ subject, expected: oid, next: { ...state, epoch: state.epoch + 1 }, because: 'a note' });
    await look(harness, number);
    expect(await status(harness, number)).toBe(before);
  });
});
