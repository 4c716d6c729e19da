import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PushPolicy } from '../../src/git/protocol/receive-pack.js';
import { clone, commit, git, openGitHttpFixture, tryGit, type GitHttpFixture } from '../support/git-http-fixture.js';

let fixture: GitHttpFixture;
let ada: string;
let start: string;

beforeEach(async () => {
  fixture = await openGitHttpFixture();
  ada = await clone(fixture, 'ada');
  start = await commit(ada, 'first', { a: '1\n' });
  await git(ada, 'push', 'origin', 'main');
});

afterEach(() => fixture.close());

const refOf = async (name: string) => (await fixture.repository.listRefs()).get(name);

const protectMain: PushPolicy = ({ name }) =>
  Promise.resolve(
    name === 'refs/heads/main'
      ? {
          reason: 'protected branch hook declined',
          lines: [
            'error: GH006: Protected branch update failed for refs/heads/main.',
            'error: Changes must be made through a pull request.',
          ],
        }
      : null,
  );

const noForce: PushPolicy = async (_update, incoming) =>
  (await incoming.isFastForward()) ? null : { reason: 'no force' };

const noWorkflows: PushPolicy = async (_update, incoming) => {
  const path = await incoming.changedWorkflow('main');
  return path === null ? null : { reason: `refusing to allow a GitHub App to create or update workflow \`${path}\`` };
};

/** Where receive-pack keeps what it has not accepted yet. */
const quarantines = async () =>
  (await readdir(join(fixture.repository.path, 'objects'))).filter((name) => name.startsWith('tmp_objdir'));

describe('a refused push', () => {
  test('shows the reason and the lines, and leaves neither ref nor objects behind', async () => {
    fixture.policy = protectMain;
    const tip = await commit(ada, 'second', { a: '2\n' });
    const { exitCode, stderr } = await tryGit(ada, 'push', 'origin', 'main');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^remote: error: GH006: Protected branch update failed for refs\/heads\/main\. *$/m);
    expect(stderr).toMatch(/^remote: error: Changes must be made through a pull request\. *$/m);
    expect(stderr).toContain(' ! [remote rejected] main -> main (protected branch hook declined)\n');
    expect(await refOf('refs/heads/main')).toBe(start);
    expect(await fixture.repository.object(tip)).toBeNull();
    expect(await quarantines()).toEqual([]);
    expect(fixture.pushes.at(-1)).toEqual([]);
  });

  test('does not keep the other refs of the same push from moving', async () => {
    fixture.policy = protectMain;
    const tip = await commit(ada, 'second', { a: '2\n' });
    const { stderr } = await tryGit(ada, 'push', 'origin', 'main', 'main:topic');
    expect(stderr).toContain(' ! [remote rejected] main -> main (protected branch hook declined)\n');
    expect(stderr).toContain(' * [new branch]      main -> topic\n');
    expect(await refOf('refs/heads/main')).toBe(start);
    expect(fixture.pushes.at(-1)).toEqual([{ name: 'refs/heads/topic', before: null, after: tip }]);
  });

  test('with --atomic takes the other refs down with it', async () => {
    fixture.policy = protectMain;
    const tip = await commit(ada, 'second', { a: '2\n' });
    const { stderr } = await tryGit(ada, 'push', '--atomic', 'origin', 'main', 'main:topic');
    expect(stderr).toContain(' ! [remote rejected] main -> main (protected branch hook declined)\n');
    expect(stderr).toContain(' ! [remote rejected] main -> topic (atomic push failure)\n');
    expect(await fixture.repository.listRefs()).toEqual(new Map([['refs/heads/main', start]]));
    expect(await fixture.repository.object(tip)).toBeNull();
  });

  test('is told to a client that understands no side band', async () => {
    fixture.policy = protectMain;
    const command = `${start} ${'0'.repeat(40)} refs/heads/main\0report-status\n`;
    const body = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`;
    const headers = { 'content-type': 'application/x-git-receive-pack-request' };
    const response = await fetch(`${fixture.url}/git-receive-pack`, { method: 'POST', headers, body });
    expect(await response.text()).toContain('ng refs/heads/main protected branch hook declined\n');
  });

  test('also results when the policy itself fails', async () => {
    fixture.policy = () => Promise.reject(new Error('no idea'));
    await commit(ada, 'second', { a: '2\n' });
    const { exitCode } = await tryGit(ada, 'push', 'origin', 'main');
    expect(exitCode).not.toBe(0);
    expect(await refOf('refs/heads/main')).toBe(start);
  });

  test('is what anybody gets who goes around the server', async () => {
    await commit(ada, 'second', { a: '2\n' });
    const { stderr } = await tryGit(ada, 'push', fixture.repository.path, 'main');
    expect(stderr).toContain('(pre-receive hook declined)');
    expect(await refOf('refs/heads/main')).toBe(start);
  });

  test('results from deleting the default branch', async () => {
    const { stderr } = await tryGit(ada, 'push', 'origin', ':main');
    expect(stderr).toContain(' ! [remote rejected] main (deletion of the current branch prohibited)\n');
  });
});

describe('what a policy may ask of the incoming objects', () => {
  test('a fast-forward passes and a forced push is refused', async () => {
    fixture.policy = noForce;
    const tip = await commit(ada, 'second', { a: '2\n' });
    await git(ada, 'push', 'origin', 'main', 'main:new');
    await git(ada, 'reset', '--quiet', '--hard', start);
    const other = await commit(ada, 'other', { a: '3\n' });
    const { stderr } = await tryGit(ada, 'push', '--force', 'origin', 'main');
    expect(stderr).toContain(' ! [remote rejected] main -> main (no force)\n');
    expect(await refOf('refs/heads/main')).toBe(tip);
    expect(await fixture.repository.object(other)).toBeNull();
    await git(ada, 'push', 'origin', ':new');
  });

  test('a merge commit is seen, in a moved branch and in a new one', async () => {
    const seen: boolean[] = [];
    fixture.policy = async (_update, incoming) => {
      seen.push(await incoming.bringsMergeCommit());
      return null;
    };
    await git(ada, 'checkout', '--quiet', '-b', 'topic');
    await commit(ada, 'topic', { b: '1\n' });
    await git(ada, 'push', 'origin', 'topic');
    await git(ada, 'checkout', '--quiet', 'main');
    await git(ada, 'merge', '--quiet', '--no-ff', 'topic');
    await git(ada, 'push', 'origin', 'main:merged');
    await git(ada, 'push', 'origin', 'main');
    expect(seen).toEqual([false, true, true]);
  });

  test.each([
    ['added', { '.github/workflows/ci.yml': 'on: push\n' }],
    ['added below another change', { b: '1\n', '.github/workflows/deep/ci.yml': 'on: push\n' }],
  ])('a workflow that is %s is named', async (_what, files) => {
    fixture.policy = noWorkflows;
    await commit(ada, 'work', files);
    await commit(ada, 'and more', { c: '1\n' });
    const { stderr } = await tryGit(ada, 'push', 'origin', 'main');
    expect(stderr).toMatch(/main -> main \(refusing to allow .* workflow `\.github\/workflows\/(deep\/)?ci\.yml`\)/);
    expect(await refOf('refs/heads/main')).toBe(start);
  });

  describe('once a branch has workflows', () => {
    let withWorkflow: string;

    beforeEach(async () => {
      await commit(ada, 'an older ci', { '.github/workflows/ci.yml': 'on: fork\n' });
      withWorkflow = await commit(ada, 'ci', { '.github/workflows/ci.yml': 'on: push\n' });
      await git(ada, 'push', 'origin', 'main');
      fixture.policy = noWorkflows;
    });

    test('changing or removing one is refused', async () => {
      await commit(ada, 'change', { '.github/workflows/ci.yml': 'on: issues\n' });
      expect((await tryGit(ada, 'push', 'origin', 'main')).stderr).toContain('remote rejected');
      await git(ada, 'reset', '--quiet', '--hard', withWorkflow);
      await commit(ada, 'remove', { '.github/workflows/ci.yml': null });
      expect((await tryGit(ada, 'push', 'origin', 'main')).stderr).toContain('remote rejected');
    });

    test('commits beside them and branches on top of them pass', async () => {
      await commit(ada, 'beside', { 'workflows/ci.yml': 'x\n', '.github/other.yml': 'x\n' });
      await git(ada, 'push', 'origin', 'main', 'main:topic');
    });

    test('merging them into an older branch passes', async () => {
      await git(ada, 'checkout', '--quiet', '-b', 'older', start);
      await commit(ada, 'older', { b: '1\n' });
      await git(ada, 'push', 'origin', 'older');
      await git(ada, 'merge', '--quiet', 'main');
      await git(ada, 'push', 'origin', 'older');
    });

    test('a merge that changes them on the way is refused', async () => {
      await git(ada, 'checkout', '--quiet', '-b', 'evil', start);
      await commit(ada, 'evil', { b: '1\n' });
      await git(ada, 'merge', '--quiet', '--no-commit', 'main');
      await commit(ada, 'merge', { '.github/workflows/ci.yml': 'on: schedule\n' });
      expect((await tryGit(ada, 'push', 'origin', 'evil')).stderr).toContain('remote rejected');
    });

    test('the same file again, in a commit of its own, passes', async () => {
      await git(ada, 'checkout', '--quiet', '-b', 'copy', start);
      await commit(ada, 'copy', { '.github/workflows/ci.yml': 'on: push\n' });
      await git(ada, 'push', 'origin', 'copy');
    });

    test('a new ref is held against the default branch, whatever other branches have', async () => {
      fixture.policy = () => Promise.resolve(null);
      await git(ada, 'push', 'origin', `${withWorkflow}:refs/heads/release`);
      const newer = await commit(ada, 'newer ci', { '.github/workflows/ci.yml': 'on: issues\n' });
      await git(ada, 'push', 'origin', 'main');
      fixture.policy = noWorkflows;
      for (const ref of ['refs/heads/topic', 'refs/tags/v1', 'refs/kept/topic'])
        expect((await tryGit(ada, 'push', 'origin', `${withWorkflow}:${ref}`)).stderr).toContain(
          '(refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml`)',
        );
      expect(await refOf('refs/heads/topic')).toBeUndefined();
      await git(ada, 'push', 'origin', `${newer}:refs/heads/topic`, `${start}:refs/heads/without-any`);
      await git(ada, 'push', '--force', 'origin', `${withWorkflow}:refs/heads/topic`);
    });

    test('a ref to something that is no commit passes', async () => {
      const blob = await git(ada, 'rev-parse', 'HEAD:a');
      await git(ada, 'push', 'origin', `${blob}:refs/sluice/blob`);
      expect(await refOf('refs/sluice/blob')).toBe(blob);
    });
  });
});
