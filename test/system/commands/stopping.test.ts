import { describe, expect, test } from '@jest/globals';
import type { Agent } from '../../../src/ports/agent.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { until } from '../../support/until.js';

/* Stop and pause by comment, in every phase of the longest way: effective, nothing lost, and said. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const comment = (number: number, body: string): Promise<unknown> => {
  p.clock.advance(1_000);
  return p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: number, body });
};

/** With one criterion that only an agent can judge: verify needs one then. */
const judging =
  (inner: (usual: Agent) => Agent) =>
  (usual: Agent): Agent =>
    inner({
      run: async (job) => {
        const outcome = await usual.run(job);
        if (outcome.kind !== 'succeeded') return outcome;
        const result = outcome.result as { criteria?: readonly object[]; results?: readonly object[] };
        const judged = { text: 'It reads well', verify: null, stage: 'post-merge' };
        const passes = { id: 'c2', verdict: 'PASS', evidence: 'work.txt:1 reads well' };
        if (job.phase === 'issue')
          return { ...outcome, result: { ...result, criteria: [...(result.criteria ?? []), judged] } };
        return job.phase === 'verify' ? { ...outcome, result: { ...result, results: [passes] } } : outcome;
      },
    });

const statusOf = async (harness: EngineHarness, number: number): Promise<string> =>
  (await harness.said(number)).find((body) => body.includes('sluice:status')) ?? '';

/** Says `/auto`, and lets time pass until the agent is at the phase. */
async function running(
  harness: EngineHarness,
  number: number,
  reached: Promise<void>,
): Promise<{ readonly driving: Promise<void> }> {
  await comment(number, '/auto');
  const there = { yet: false };
  void reached.then(() => (there.yet = true));
  let driving = harness.settle();
  for (let minutes = 0; minutes < 30; minutes += 1) {
    await Promise.race([driving, reached]);
    if (there.yet) return { driving };
    // Waiting for checks.
    p.clock.advance(60_000);
    driving = harness.settle();
  }
  throw new Error(`the agent never got there: ${JSON.stringify((await harness.state(number)).halt)}`);
}

describe.each(['issue', 'spec', 'code', 'review', 'verify'])('while %s runs', (phase) => {
  test('/auto stop ends it within ten seconds, and the work is kept', async () => {
    const held = agentHeldAt(phase);
    const harness = await atWork({ agent: judging(held.agent), size: 'M' });
    const number = await harness.open('wren');
    const { driving } = await running(harness, number, held.reached);
    const before = await harness.state(number);
    expect(before.lease).toMatchObject({ phase });
    await comment(number, '/auto stop');
    const hearing = harness.settle();
    await until('the wish is written down', async () => (await harness.state(number)).pendingRequest !== null);
    p.clock.advance(6_000);
    await Promise.all([driving, hearing]);
    await harness.settle();
    const after = await harness.state(number);
    expect(after).toMatchObject({
      lease: null,
      halt: { state: 'paused', code: 'stopped', because: 'wren asked to stop' },
    });
    // Everything that had been achieved is still there.
    expect(after.progress).toMatchObject({ triage: before.progress.triage, spec: before.progress.spec });
    expect(after.progress.pushed).toEqual(before.progress.pushed);
    expect(await harness.labels(number)).toEqual(expect.arrayContaining(['auto/paused', `phase/${phase}`]));
    expect(await statusOf(harness, number)).toContain('Stopped by a person');
  });

  test('/auto pause lets it end, and nothing comes after it', async () => {
    const held = agentHeldAt(phase);
    const harness = await atWork({ agent: judging(held.agent), size: 'M' });
    const number = await harness.open('wren');
    const { driving } = await running(harness, number, held.reached);
    await comment(number, '/auto pause');
    const hearing = harness.settle();
    await until('the wish is written down', async () => (await harness.state(number)).pendingRequest !== null);
    p.clock.advance(6_000);
    const { lease } = await harness.state(number);
    expect(lease).toMatchObject({ phase });
    held.open();
    await Promise.all([driving, hearing]);
    await harness.settle();
    const after = await harness.state(number);
    const ended = after.transitions.filter(({ ms }) => ms !== undefined).at(-1);
    expect(ended).toMatchObject({ phase, kind: 'done' });
    if (phase === 'verify') return expect(after.progress.done ?? after.halt).not.toBeNull();
    expect(after).toMatchObject({ lease: null, halt: { state: 'paused', code: 'paused' } });
    expect(await harness.labels(number)).toContain('auto/paused');
    expect(await statusOf(harness, number)).toContain('Paused');
  });
});

describe.each(['stop', 'pause'])('while checks are waited for, /auto %s', (command) => {
  test('said on the pull request rests at once; the pull request stays open', async () => {
    const harness = await atWork({ size: 'M' });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    const { data: pulls } = await p.rest('ada').rest.pulls.list({ ...p.at });
    expect(pulls).toHaveLength(1);
    await harness.say('wren', pulls[0]?.number ?? 0, `/auto ${command}`);
    expect((await harness.state(number)).halt).toMatchObject({ state: 'paused' });
    p.clock.advance(10 * 60_000);
    await harness.settle();
    expect((await harness.state(number)).progress.pushed).not.toBeNull();
    expect((await p.rest('ada').rest.pulls.list({ ...p.at })).data).toHaveLength(1);
    await harness.say('wren', number, '/auto continue');
    await harness.finish();
    expect((await harness.state(number)).progress.done).not.toBeNull();
  });
});
