import { beforeEach, describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import type { EngineHarness, EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { afterCodeRun, CodeRunCounter } from '../../support/github/interleaving.js';

/* Straight to base only where something guards it, and only after a last look at everything. */

let p: TestPocket;
let paid: CodeRunCounter;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
beforeEach(() => {
  paid = new CodeRunCounter();
});

async function asked(
  command: string,
  { agent = (usual) => usual, ...options }: EngineHarnessOptions,
): Promise<EngineHarness> {
  const harness = await open({ ...options, agent: paid.counting(agent) });
  await harness.open('wren');
  await harness.say('wren', 1, command);
  return harness;
}

/** A test command that only passes where the work is. */
const RED_ON_BASE = 'test -e work.txt';

describe('a small issue goes through a pull request, and the status says why, where', () => {
  async function reason(options: EngineHarnessOptions): Promise<{ pulls: number; said: string }> {
    const harness = await asked('/auto --patch', { size: 'XS', ...options });
    const { data: pulls } = await p.rest('ada').rest.pulls.list({ ...p.at });
    return { pulls: pulls.length, said: (await harness.said(1)).find((text) => text.includes('pull request')) ?? '' };
  }

  test('nothing guards the base branch', async () => {
    const { pulls, said } = await reason({ policy: { hasTests: false } });
    expect(pulls).toBe(1);
    expect(said).toContain('nothing guards main');
  });

  test('the repository says so, whatever the command says', async () => {
    const { pulls, said } = await reason({ policy: { route: 'pr' } });
    expect(pulls).toBe(1);
    expect(said).toContain('`route: pr`');
  });

  test('the tests fail on base itself', async () => {
    const { pulls, said } = await reason({ testCommand: RED_ON_BASE });
    expect(pulls).toBe(1);
    expect(said).toContain('the test command fails on main itself');
  });

  test('the checks it relies on are not green on base', async () => {
    const { pulls, said } = await reason({ policy: { hasTests: false, expectedChecks: ['test'] } });
    expect(pulls).toBe(1);
    expect(said).toContain('are not green');
  });
});

describe('before a patch goes to base everything is read again', () => {
  const main = (): string => tipOf(p, 'main');
  /** Something happens after the last test of the work, before it is read again. */
  const lately = (act: () => Promise<unknown>) => afterCodeRun(1, act);

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'the issue was closed',
      () => p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'closed' }),
      'auto/paused',
    ],
    ['somebody said stop', () => say('/auto stop'), 'auto/paused'],
    ['somebody said pause', () => say('/auto pause'), 'auto/paused'],
  ])('%s: it does not land, and is kept', async (_, act, label) => {
    const before = main();
    const harness = await asked('/auto', { size: 'XS', agent: lately(act) });
    await harness.finish();
    expect(main()).toBe(before);
    expect(await harness.labels(1)).toContain(label);
    expect((await harness.state(1)).lease).toBeNull();
    await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'open' });
    await harness.say('wren', 1, '/auto continue');
    await harness.finish();
    expect(await harness.labels(1)).toEqual(['phase/done', 'size/XS', 'triaged']);
    expect(paid.count).toBeLessThanOrEqual(2);
  });

  const say = (body: string): Promise<unknown> =>
    p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body });
});

test('a base whose workflow files differ from the default branch is refused before anything is paid for', async () => {
  await pushTo(p, 'release/2', { files: { '.github/workflows/ci.yml': 'on: push\n' } });
  const harness = await asked('/auto --base release/2', { size: 'XS', policy: { workflowsDiffer: true } });
  await harness.finish();
  expect((await harness.state(1)).halt?.code).toBe('workflows-differ');
  expect(paid.count).toBe(0);
});
