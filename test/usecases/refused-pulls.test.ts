import { expect, test } from '@jest/globals';
import { ERRORS } from '../../src/domain/errors.js';
import { commitFiles } from '../../src/pocket/github/git/seed-commits.js';
import { moveBranch, tipOf } from '../support/branches.js';
import { deskEachTest } from '../support/desk-each-test.js';
import type { TestPocket } from '../support/pocket.js';
import { duringRun, PaidRuns } from '../support/shared-work.js';

/* GitHub does not open the pull request. The run says so, in GitHub's words, and goes on once the cause is gone. */

let p: TestPocket;
const open = deskEachTest((pocket) => {
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
  const paid = new PaidRuns();
  const before = tipOf(p, 'main');
  const desk = await open({ size: 'M', agent: paid.counting(duringRun(1, replaceBase)) });
  await desk.open('wren');
  await desk.say('wren', 1, '/auto');
  await desk.finish();
  expect(await desk.labels(1)).toContain('auto/needs-human');
  const { halt, lease } = await desk.state(1);
  expect(halt).toMatchObject({ code: 'pull-refused', because: expect.stringContaining('has no history in common') });
  expect(lease).toBeNull();
  expect((await desk.said(1)).join('\n')).toContain('has no history in common');
  const runs = paid.count;
  expect(ERRORS['pull-refused'].remedy).toContain('`/auto continue`');
  await moveBranch(p, 'main', before);
  await desk.say('wren', 1, '/auto continue');
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' });
  expect({ pulls: data.length, runs: paid.count }).toEqual({ pulls: 1, runs });
  await desk.finish();
  expect(await desk.labels(1)).toEqual(['phase/done', 'size/M', 'triaged']);
});
