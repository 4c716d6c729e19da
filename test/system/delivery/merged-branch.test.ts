import { afterEach, describe, expect, test } from '@jest/globals';
import { findRef } from '#pocket-github/testing';
import { acquireLease } from '../../../src/usecases/phases/lease.js';
import { observe } from '../../../src/usecases/issue/observe.js';
import { pushTo } from '#pocket-github/test/branches';
import {
  type EngineHarness,
  type EngineHarnessOptions,
  openEngineHarness,
} from '../../support/service/engine-harness.js';
import { forgetfulAgent } from '../../support/agent/forgetful-agent.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { addRuleset } from '#pocket-github/test/branch-protection';

/* What is merged leaves no branch behind: somebody who wakes up late could open a second pull request from it. */

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const harnesses: EngineHarness[] = [];
afterEach(async () => {
  for (const harness of harnesses.splice(0)) await harness.close();
});

const BRANCH = 'sluice/issue-1';
const branch = (): string | null =>
  findRef(p.pocket.world.tables, p.repository.id, `refs/heads/${BRANCH}`)?.oid ?? null;

async function asked(
  command: string,
  options: EngineHarnessOptions = {},
): Promise<{ harness: EngineHarness; number: number }> {
  const harness = await openEngineHarness(p, { size: 'M', ...options });
  harnesses.push(harness);
  const number = await harness.open('wren');
  await harness.say('wren', number, command);
  await harness.finish();
  return { harness, number };
}

async function driven(
  options: EngineHarnessOptions = {},
): Promise<{ labels: readonly string[]; pulls: readonly boolean[] }> {
  const { harness, number } = await asked('/auto', options);
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' });
  return { labels: await harness.labels(number), pulls: data.map(({ merged_at }) => merged_at !== null) };
}

const DONE = { labels: ['phase/done', 'size/M', 'triaged'], pulls: [true] };

describe('the work branch after the merge', () => {
  test('is gone, and its pull request is found all the same', async () => {
    expect(await driven()).toEqual(DONE);
    expect(branch()).toBeNull();
  });

  test('stays where a rule keeps it, and keeps nobody from going on', async () => {
    addRuleset(p, ['refs/heads/sluice/*'], { blockDeletions: true });
    expect(await driven()).toEqual(DONE);
    expect(branch()).not.toBeNull();
  });

  test('stays when somebody has pushed to it in the last moment: nothing of theirs is lost', async () => {
    const { harness, number } = await asked('/auto --stop-at merge');
    const { engine } = harness.instance;
    const seen = await observe(engine, { ...p.at, number });
    if (seen?.pull?.state !== 'merged') throw new Error('it is not merged');
    const theirs = await pushTo(p, BRANCH, { files: { 'more.txt': 'more\n' } });
    const lease = await acquireLease(engine, seen, 'verify', 'it landed');
    lease?.abandon();
    expect({ taken: lease !== null, branch: branch() }).toEqual({ taken: true, branch: theirs });
  });

  test('is made anew when verification sends the work back, for a second pull request', async () => {
    expect(await driven({ agent: forgetfulAgent })).toEqual({ ...DONE, pulls: [true, true] });
    expect(branch()).toBeNull();
  });
});
