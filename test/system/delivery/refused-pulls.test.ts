import { expect, test } from '@jest/globals';
import { HALT_CODES } from '../../../src/domain/issue/halt-codes.js';
import { commitFiles } from '#pocket-github/testing';
import { moveBranch, tipOf } from '#pocket-github/test/branches';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { afterCodeRun, CodeRunCounter } from '../../support/github/interleaving.js';

/* GitHub does not open the pull request. The run says so, in GitHub's words, and goes on once the cause is gone. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

/** Base is replaced by a history of its own, as after a rewrite. */
async function replaceBase(): Promise<void> {
  const root = await commitFiles(p.pocket.world.git(p.repository.id), {
    parent: null,
    files: { 'other.txt': 'other\n' },
    message: 'Begin again',
    author: { name: 'wren', email: 'wren@example.com', at: p.clock.now() },
  });
  await moveBranch(p, 'main', root);
}

test('base was rewritten while code was written: it stops with GitHub’s words, and goes on without a new agent run', async () => {
  const paid = new CodeRunCounter();
  const before = tipOf(p, 'main');
  const harness = await open({ size: 'M', agent: paid.counting(afterCodeRun(1, replaceBase)) });
  await harness.open('wren');
  await harness.say('wren', 1, '/auto');
  await harness.finish();
  expect(await harness.labels(1)).toContain('auto/needs-human');
  const { halt, lease } = await harness.state(1);
  expect(halt).toMatchObject({ code: 'pull-refused', because: expect.stringContaining('has no history in common') });
  expect(lease).toBeNull();
  expect((await harness.said(1)).join('\n')).toContain('has no history in common');
  const runs = paid.count;
  expect(HALT_CODES['pull-refused'].remedy).toContain('`/auto continue`');
  await moveBranch(p, 'main', before);
  await harness.say('wren', 1, '/auto continue');
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' });
  expect({ pulls: data.length, runs: paid.count }).toEqual({ pulls: 1, runs });
  await harness.finish();
  expect(await harness.labels(1)).toEqual(['phase/done', 'size/M', 'triaged']);
});
