import { describe, expect, test } from '@jest/globals';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';
import { until } from '../../support/until.js';

/* What people do to an issue by hand: labels, closing, reopening, editing. In by webhook, out as labels, comments and state. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const label = async (who: Person, number: number, name: string): Promise<void> => {
  p.clock.advance(1_000);
  await p
    .rest('ada')
    .rest.issues.createLabel({ ...p.at, name })
    .catch(() => undefined);
  await p.rest(who).rest.issues.addLabels({ ...p.at, issue_number: number, labels: [name] });
};

describe('a phase label', () => {
  test('of a permitted person starts a run from there, with the boxes of the issue as criteria', async () => {
    const harness = await atWork();
    const number = await harness.open('mallory', '- [ ] The work is done <!-- verify: file_contains work.txt done -->');
    await label('wren', number, 'size/XS');
    await label('wren', number, 'phase/ready');
    await harness.finish();
    const { progress, run } = await harness.state(number);
    expect(run).toMatchObject({ by: { login: 'wren' }, waiver: { phase: 'ready', by: 'wren' } });
    expect(progress.triage).toMatchObject({ size: 'XS', criteria: [{ id: 'c1', text: 'The work is done' }] });
    // The check of the box is an outsider's, and nobody sees it on the page.
    expect((await harness.state(number)).halt).toMatchObject({ code: 'commands-unapproved' });
    await harness.say('wren', number, '/auto approve');
    await harness.finish();
    expect(await harness.labels(number)).toEqual(expect.arrayContaining(['phase/done']));
  });

  test('counts as well when it is `/auto` that starts the run', async () => {
    const harness = await atWork();
    const number = await harness.open('mallory', '- [ ] The work is done <!-- verify: file_contains work.txt done -->');
    await label('wren', number, 'size/XS');
    await label('wren', number, 'phase/ready');
    await p.deliveries();
    p.receiver.received.splice(0);
    await harness.say('ada', number, '/auto');
    await harness.finish();
    const { run, transitions } = await harness.state(number);
    expect(run).toMatchObject({ by: { login: 'ada' }, waiver: { phase: 'ready', by: 'wren' } });
    expect(transitions.filter(({ phase, ms }) => phase === 'issue' && ms !== undefined)).toEqual([]);
  });

  test.each<Person>(['tess'])('of somebody who may not (%s) is removed and explained once', async (who) => {
    const harness = await atWork();
    const number = await harness.open('mallory');
    for (const _ of [1, 2]) {
      await label(who, number, 'phase/ready');
      await harness.settle();
    }
    expect(await harness.labels(number)).toEqual([]);
    expect(await harness.said(number)).toEqual([expect.stringContaining('write permission')]);
  });

  test('that nobody earned does not skip the work', async () => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await label('wren', number, 'size/XS');
    await label('wren', number, 'phase/verify');
    await harness.settle();
    expect((await harness.state(number)).transitions.map(({ phase }) => phase)).toContain('code');
    await harness.finish();
    expect((await harness.state(number)).progress.landed).not.toBeNull();
  });

  test('phase/done by hand starts nothing', async () => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await label('wren', number, 'phase/done');
    await harness.settle();
    await expect(harness.state(number)).rejects.toThrow('none');
  });

  test('in the middle of a run takes effect when the phase has ended', async () => {
    const held = agentHeldAt('code');
    const harness = await atWork({ agent: held.agent, size: 'S' });
    const number = await harness.open('wren');
    const running = harness.say('wren', number, '/auto');
    await held.reached;
    await label('wren', number, 'phase/spec');
    const hearing = harness.settle();
    await until('the wish is written down', async () => (await harness.state(number)).pendingRequest !== null);
    held.open();
    await Promise.all([running, hearing]);
    await harness.finish();
    const phases = (await harness.state(number)).transitions
      .filter(({ ms }) => ms !== undefined)
      .map(({ phase }) => phase);
    expect(phases.filter((phase) => phase === 'spec')).toHaveLength(2);
    expect(phases.filter((phase) => phase === 'issue')).toHaveLength(1);
  });
});

describe.each(['issue', 'code'])('while %s runs', (phase) => {
  const stops: readonly (readonly [string, string, (number: number) => Promise<unknown>])[] = [
    [
      'taking auto/running away',
      'wren took auto/running away',
      (number) => p.rest('wren').rest.issues.removeLabel({ ...p.at, issue_number: number, name: 'auto/running' }),
    ],
    [
      'closing the issue',
      'wren closed the issue',
      (number) => p.rest('wren').rest.issues.update({ ...p.at, issue_number: number, state: 'closed' }),
    ],
  ];
  test.each(stops)('%s ends it within ten seconds and keeps the work', async (_, because, act) => {
    const held = agentHeldAt(phase);
    const harness = await atWork({ agent: held.agent });
    const number = await harness.open('wren');
    const running = harness.say('wren', number, '/auto');
    await held.reached;
    p.clock.advance(1_000);
    await act(number);
    const hearing = harness.settle();
    await until('the wish is written down', async () => (await harness.state(number)).pendingRequest !== null);
    p.clock.advance(5_000);
    await Promise.all([running, hearing]);
    await harness.settle();
    const state = await harness.state(number);
    expect(state.halt).toEqual({ state: 'paused', code: 'stopped', because });
    expect(state.lease).toBeNull();
    expect(await harness.labels(number)).toContain('auto/paused');
  });
});

describe('an edit of the issue', () => {
  const edit = (who: Person, number: number, body: string): Promise<unknown> => {
    p.clock.advance(1_000);
    return p.rest(who).rest.issues.update({ ...p.at, issue_number: number, body });
  };

  async function editedDuringSpec(author: Person, editor: Person): Promise<EngineHarness> {
    const held = agentHeldAt('spec');
    const harness = await atWork({ agent: held.agent, size: 'S' });
    const number = await harness.open(author);
    const running = harness.say('wren', number, '/auto');
    await held.reached;
    await edit(editor, number, 'Write something else down.');
    const hearing = harness.settle();
    await until('the edit is heard', async () => {
      const { run, ignoredEdit } = await harness.state(number);
      return ignoredEdit !== null || run?.authorised.body !== 'Write it down.';
    });
    held.open();
    await Promise.all([running, hearing]);
    await harness.finish();
    return harness;
  }

  test('by somebody without permission does not reach the agent', async () => {
    const harness = await editedDuringSpec('mallory', 'mallory');
    const { run, transitions, ignoredEdit } = await harness.state(1);
    expect(run?.authorised.body).toBe('Write it down.');
    expect(ignoredEdit).not.toBeNull();
    expect(transitions.filter(({ phase, ms }) => phase === 'issue' && ms !== undefined)).toHaveLength(1);
  });

  test('by somebody with permission is triaged again, visibly', async () => {
    const harness = await editedDuringSpec('mallory', 'wren');
    const { run, transitions } = await harness.state(1);
    expect(run?.authorised.body).toBe('Write something else down.');
    expect(transitions.filter(({ phase, ms }) => phase === 'issue' && ms !== undefined)).toHaveLength(2);
    expect(transitions.map(({ because }) => because)).toContainEqual(expect.stringContaining('edited'));
  });
});

test('an issue that was done and is reopened by somebody without permission rests, and says so', async () => {
  const harness = await atWork();
  const number = await harness.open('mallory');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  p.clock.advance(60_000);
  await p
    .rest('mallory')
    .rest.issues.update({ ...p.at, issue_number: number, state: 'open' })
    .catch(() => undefined);
  await p.rest('tess').rest.issues.update({ ...p.at, issue_number: number, state: 'open' });
  await harness.finish();
  expect((await harness.state(number)).halt).toMatchObject({ code: 'reopened' });
});
