import { describe, expect, test } from '@jest/globals';
import { MAX_STATE_BYTES } from '../../../src/domain/state/bounded-state.js';
import { MAX_PROMPT_BYTES } from '../../../src/usecases/phases/prompt.js';
import type { Agent } from '../../../src/ports/agent.js';
import { issueActions } from '../../support/github/issue-actions.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { foreignApp } from '#pocket-github/test/foreign-app';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { stateTampering } from '../../support/github/state-tampering.js';

/* E3b: what others write about an issue or a pull request enters states and prompts only up to a bound. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});
const { by } = issueActions(() => p);
const tampering = stateTampering(() => p);

/** The longest state file this issue has ever had. */
async function longestState(number: number): Promise<number> {
  const repository = p.pocket.world.git(p.repository.id);
  const sizes: number[] = [];
  for (const oid of await tampering.history(number)) {
    const commit = await repository.commit(oid);
    const entry = commit === null ? null : await repository.entryAt(commit.tree, 'state.json');
    const object = entry === null ? null : await repository.object(entry.oid);
    sizes.push(object?.type === 'blob' ? object.content.length : 0);
  }
  return Math.max(...sizes);
}

/** Everything agents are told, by length. */
function measured(): { readonly lengths: number[]; readonly agent: (usual: Agent) => Agent } {
  const lengths: number[] = [];
  const agent = (usual: Agent): Agent => ({
    run: (job) => {
      lengths.push(Buffer.byteLength(job.prompt));
      return usual.run(job);
    },
  });
  return { lengths, agent };
}

describe('neither a state nor a prompt grows past its bound', () => {
  test('by 90 red checks that say 65 kB each', async () => {
    const [held, prompts] = [agentHeldAt('review'), measured()];
    const names = Array.from({ length: 90 }, (_, index) => `check ${index}`);
    const harness = await atWork({
      agent: (usual) => prompts.agent(held.agent(usual)),
      size: 'M',
      policy: { expectedChecks: names },
    });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    const { data: pulls } = await p.rest('ada').rest.pulls.list({ ...p.at });
    const head_sha = pulls[0]?.head.sha ?? '';
    const app = foreignApp(p);
    const output = { title: 'Red', summary: '本\u0001'.repeat(21_000) };
    const red = { head_sha, status: 'completed', conclusion: 'failure', output } as const;
    for (const name of names) await app.rest.checks.create({ ...p.at, name, ...red });
    await harness.settle();
    expect((await harness.state(number)).counters.checkFixes).toBeGreaterThan(0);
    expect(await longestState(number)).toBeLessThanOrEqual(MAX_STATE_BYTES);
    expect(Math.max(...prompts.lengths)).toBeLessThanOrEqual(MAX_PROMPT_BYTES);
    held.open();
  });

  test('by a body of 65,536 letters with a hundred boxes, and words of a person as long', async () => {
    const prompts = measured();
    const harness = await atWork({ agent: prompts.agent, size: 'M' });
    const boxes = Array.from({ length: 100 }, (_, index) => `- [ ] ${index} ${'本'.repeat(600)}`).join('\n');
    const number = await harness.open('wren', boxes.padEnd(65_536, '🌱').slice(0, 65_536));
    await harness.say('wren', number, '/auto --stop-at spec');
    await harness.finish();
    await harness.say('wren', number, `/auto continue ${'語'.repeat(60_000)}`);
    await harness.finish();
    expect(harness.instance.runs()).toBeGreaterThan(1);
    expect(await longestState(number)).toBeLessThanOrEqual(MAX_STATE_BYTES);
    expect(Math.max(...prompts.lengths)).toBeLessThanOrEqual(MAX_PROMPT_BYTES);
  });

  test('by a review of 60 kB with a hundred comments of 20 kB', async () => {
    const prompts = measured();
    const harness = await atWork({ agent: prompts.agent, size: 'M', policy: { merge: 'never' } });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    await harness.finish();
    const { data: pulls } = await p.rest('ada').rest.pulls.list({ ...p.at });
    const pull_number = pulls[0]?.number ?? 0;
    const comments = Array.from({ length: 100 }, (_, index) => ({
      path: 'work.txt',
      line: 1,
      body: `${index} ${'語'.repeat(20_000)}`,
    }));
    const body = '本'.repeat(60_000);
    await by('ada').rest.pulls.createReview({ ...p.at, pull_number, event: 'REQUEST_CHANGES', body, comments });
    await harness.settle();
    expect((await harness.state(number)).counters.peopleRounds).toBe(1);
    expect(await longestState(number)).toBeLessThanOrEqual(MAX_STATE_BYTES);
    expect(Math.max(...prompts.lengths)).toBeLessThanOrEqual(MAX_PROMPT_BYTES);
  });
});
