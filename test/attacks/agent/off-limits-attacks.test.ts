import { expect, test } from '@jest/globals';
import { execa } from 'execa';
import type { AgentJob } from '../../../src/ports/agent.js';
import { findRef } from '#pocket-github/testing';
import { agentAnswering, recordingJobs } from '../../support/agent/answering-agent.js';
import { tipOf } from '#pocket-github/test/branches';
import { standardAnswer } from '../../support/agent/standard-agent.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openRealGitHarness } from '../../support/service/real-git-harness.js';

/* C20, C21b, C36, C39 from a command to its end: work that is refused on the host is one named ending, paid for once. */

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

/** Drives an XS issue with an agent that leaves this besides its work. */
async function driven(files: Readonly<Record<string, string>>, script = 'true') {
  const told: AgentJob[] = [];
  const agent = agentAnswering(
    () => p,
    'code',
    async (job) => {
      await execa('sh', ['-c', script], { cwd: job.clone.path });
      const usual = await standardAnswer(job, 'XS');
      return usual.kind === 'works' ? { ...usual, files: { ...usual.files, ...files } } : usual;
    },
  );
  const harness = await openRealGitHarness(p, { agent: recordingJobs(told, agent) });
  const before = tipOf(p, 'main');
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  const { halt, progress } = await harness.state(number);
  expect(tipOf(p, 'main')).toBe(before);
  expect(findRef(p.pocket.world.tables, p.repository.id, `refs/heads/sluice/issue-${number}`)).toBeUndefined();
  expect(await harness.labels(number)).toContain('auto/needs-human');
  const kept = p.pocket.world.tables.refs
    .by('repositoryId', p.repository.id)
    .filter(({ name }) => name.startsWith(`refs/sluice/wip/${number}/`));
  return {
    halt,
    progress,
    kept,
    paid: told.filter(({ phase }) => phase === 'code').length,
    said: await harness.said(number),
  };
}

test('an agent that rewrites Sluice’s own rules lands nothing: its commit is kept on no branch, and the file is named', async () => {
  const { halt, progress, kept, paid, said } = await driven({ '.github/sluice.yml': 'test: "true"\n' });
  expect(halt).toMatchObject({ state: 'needs-human', code: 'off-limits' });
  expect(paid).toBe(1);
  expect(kept.map(({ oid }) => oid)).toEqual([progress.held?.commit]);
  const status = said.join('\n');
  expect(status).toContain('.github/sluice.yml');
  expect(status).toContain(`/auto approve ${progress.held?.commit.slice(0, 12) ?? '?'}`);
});

test('an agent that changes a workflow is paid once, and people are told that GitHub does not even store it', async () => {
  const { halt, progress, kept, paid } = await driven({ '.github/workflows/ci.yml': 'on: push\n' });
  expect(halt).toMatchObject({ state: 'needs-human', code: 'off-limits' });
  expect(halt?.because).toContain('.github/workflows/ci.yml');
  expect(halt?.because).toContain('GitHub does not take that from Sluice');
  expect(halt?.because).toContain('cannot be approved');
  expect(paid).toBe(1);
  expect(progress.held).toBeNull();
  expect(kept).toEqual([]);
});

test.each([
  [
    'a repository within the repository',
    'mkdir x; cd x; git init -q; git -c user.name=x -c user.email=x commit -q --allow-empty -m x',
    'git repository within',
  ],
  ['files under LFS', 'echo "*.bin filter=lfs" > .gitattributes', 'Git LFS'],
  ['no repository any more', 'rm -rf .git', 'could not hand the work over'],
  ['ten thousand and one files', 'mkdir many; cd many; seq 10001 | xargs touch', 'files, and'],
])('work that is refused is paid for once, and the reason is named: %s', async (_, script, why) => {
  const { halt, paid, kept } = await driven({}, script);
  expect(halt).toMatchObject({ state: 'needs-human', code: 'result-refused', because: expect.stringContaining(why) });
  expect(paid).toBe(1);
  expect(kept).toEqual([]);
});
