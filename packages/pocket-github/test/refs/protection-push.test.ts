import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Octokit } from '@octokit/rest';
import { NO_RULES } from '../../src/resources/protection/effective-rules.js';
import type { BranchRules, Ruleset } from '../../src/world/model.js';
import { tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';
import { commit, git, tryGit } from '../support/git-http-fixture.js';

let p: TestPocket;
let folder: string;
freshPocketEachTest((pocket) => {
  p = pocket;
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pocket-push-'));
  await git(folder, 'clone', '--quiet', p.gitUrl('wren'), '.');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** What `git push` says, without the padding git adds. */
async function push(who: Person | { readonly url: string }, ...refs: readonly string[]) {
  const url = typeof who === 'string' ? p.gitUrl(who) : who.url;
  const { exitCode, stderr } = await tryGit(folder, 'push', url, ...refs);
  return { done: exitCode === 0, says: stderr.replaceAll(/ +$/gm, '') };
}

async function appUrl(permissions?: { readonly contents: 'write' }): Promise<{ readonly url: string }> {
  const { data } = await p.rest('app-jwt').rest.apps.createInstallationAccessToken({
    installation_id: p.installation.id,
    ...(permissions === undefined ? {} : { permissions }),
  });
  return { url: p.gitUrl('wren').replace(/\/\/.*@/, `//x-access-token:${data.token}@`) };
}

function addRuleset(rules: Partial<BranchRules>, more: Partial<Ruleset> = {}): void {
  const { world } = p.pocket;
  world.tables.rulesets.insert({
    id: world.newId(),
    repositoryId: p.repository.id,
    name: 'Rules',
    target: 'branch',
    enforcement: 'active',
    include: ['~DEFAULT_BRANCH'],
    exclude: [],
    bypassAppIds: [],
    bypassRoles: [],
    rules: { ...NO_RULES, ...rules },
    createdAt: world.now(),
    updatedAt: world.now(),
    ...more,
  });
}

const GH006 = [
  'remote: error: GH006: Protected branch update failed for refs/heads/main.',
  'remote:',
  'remote: - Changes must be made through a pull request.',
].join('\n');

describe('a push to a protected branch', () => {
  test('is declined where changes need a pull request, and says so', async () => {
    protectMain(p, { requirePullRequest: true });
    const before = tipOf(p, 'main');
    await commit(folder, 'direct', { 'a.txt': 'a\n' });
    const { done, says } = await push('wren', 'main');
    expect(done).toBe(false);
    expect(says).toContain(GH006);
    expect(says).toContain('! [remote rejected] main -> main (protected branch hook declined)');
    expect(tipOf(p, 'main')).toBe(before);
  });

  test('is let through for administrators unless they are bound too, and never for an App', async () => {
    protectMain(p, { requirePullRequest: true }, { enforceAdmins: false });
    await commit(folder, 'direct', { 'a.txt': 'a\n' });
    expect(await push(await appUrl(), 'main')).toMatchObject({ done: false });
    expect(await push('ada', 'main')).toMatchObject({ done: true });
  });

  test('does not touch other branches', async () => {
    protectMain(p, { requirePullRequest: true });
    await commit(folder, 'work', { 'a.txt': 'a\n' });
    expect(await push('wren', 'HEAD:work')).toMatchObject({ done: true });
  });

  test('waits for the required checks of the pushed commit', async () => {
    protectMain(p, {
      requiredChecks: [
        { context: 'build', appId: null },
        { context: 'lint', appId: p.app.id },
      ],
    });
    const sha = await commit(folder, 'direct', { 'a.txt': 'a\n' });
    expect((await push('wren', 'main')).says).toContain('- 2 of 2 required status checks are expected.');
    expect(await push('wren', 'HEAD:work')).toMatchObject({ done: true });
    await p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha, context: 'build', state: 'success' });
    await p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha, context: 'lint', state: 'success' });
    expect((await push('wren', 'main')).says).toContain('- Required status check "lint" is expected.');
    const { data: run } = await p.rest('app').rest.checks.create({ ...p.at, name: 'lint', head_sha: sha });
    expect((await push('wren', 'main')).says).toContain('- Required status check "lint" is pending.');
    await p.rest('app').rest.checks.update({ ...p.at, check_run_id: run.id, conclusion: 'failure' });
    expect((await push('wren', 'main')).says).toContain('- Required status check "lint" is failing.');
    await p.rest('app').rest.checks.update({ ...p.at, check_run_id: run.id, conclusion: 'skipped' });
    expect(await push('wren', 'main')).toMatchObject({ done: true });
  });

  test('may not force, even by an administrator whom the rest does not bind', async () => {
    protectMain(p, { blockForcePushes: true }, { enforceAdmins: false });
    await commit(folder, 'first', { 'a.txt': 'a\n' });
    expect(await push('ada', 'main')).toMatchObject({ done: true });
    await git(folder, 'commit', '--quiet', '--amend', '--message', 'other');
    const { done, says } = await push('ada', '--force', 'main');
    expect(done).toBe(false);
    expect(says).toContain('- Cannot force-push to this branch');
  });

  test('may not bring merge commits where history must be linear', async () => {
    protectMain(p, { requireLinearHistory: true });
    await git(folder, 'checkout', '--quiet', '-b', 'side');
    await commit(folder, 'side', { 'a.txt': 'a\n' });
    await git(folder, 'checkout', '--quiet', 'main');
    await commit(folder, 'straight', { 'b.txt': 'b\n' });
    expect(await push('wren', 'main')).toMatchObject({ done: true });
    await git(folder, 'merge', '--quiet', '--no-ff', '-m', 'merged', 'side');
    expect((await push('wren', 'main')).says).toContain('- This branch must not contain merge commits.');
  });

  test('may not come from outside where updates are restricted', async () => {
    protectMain(p, { restrictUpdates: true });
    await commit(folder, 'direct', { 'a.txt': 'a\n' });
    expect((await push('wren', 'main')).says).toContain("- You're not authorized to push to this branch.");
  });
});

describe('deleting by push', () => {
  test('is refused for the default branch and for branches protected against it', async () => {
    await push('wren', 'main:keep', 'main:drop');
    expect((await push('wren', '--delete', 'main')).says).toContain(
      '(refusing to delete the current branch: refs/heads/main)',
    );
    addRuleset({ blockDeletions: true }, { include: ['refs/heads/keep'] });
    expect((await push('wren', '--delete', 'keep')).says).toContain('- Cannot delete this branch');
    expect(await push('wren', '--delete', 'drop')).toMatchObject({ done: true });
  });
});

describe('a push against a ruleset', () => {
  test('is declined with every rule it breaks and the address of the rules', async () => {
    addRuleset({ requirePullRequest: true, requiredChecks: [{ context: 'build', appId: null }] });
    await commit(folder, 'direct', { 'a.txt': 'a\n' });
    const { says } = await push('ada', 'main');
    expect(says).toContain(
      [
        'remote: error: GH013: Repository rule violations found for refs/heads/main.',
        `remote: Review all repository rules at ${p.pocket.urls.html}/ada/sandbox/rules?ref=refs%2Fheads%2Fmain`,
        'remote:',
        'remote: - Changes must be made through a pull request.',
        'remote:',
        'remote: - Required status check "build" is expected.',
      ].join('\n'),
    );
    expect(says).toContain('! [remote rejected] main -> main (push declined due to repository rule violations)');
  });

  test('passes for the Apps and roles that may bypass it', async () => {
    addRuleset({ requirePullRequest: true }, { bypassAppIds: [p.app.id], bypassRoles: ['maintain'] });
    await commit(folder, 'one', { 'a.txt': 'a\n' });
    expect(await push('wren', 'main')).toMatchObject({ done: false });
    expect(await push(await appUrl(), 'main')).toMatchObject({ done: true });
    await commit(folder, 'two', { 'a.txt': 'b\n' });
    expect(await push('ada', 'main')).toMatchObject({ done: true });
  });

  test('passes where the ruleset is off or aims elsewhere', async () => {
    addRuleset({ requirePullRequest: true }, { enforcement: 'disabled' });
    addRuleset({ requirePullRequest: true }, { include: ['~ALL'], exclude: ['refs/heads/ma*'] });
    addRuleset({ restrictUpdates: true }, { target: 'tag', include: ['~ALL'] });
    await commit(folder, 'one', { 'a.txt': 'a\n' });
    expect(await push('wren', 'main')).toMatchObject({ done: true });
  });

  test('goes for tags too', async () => {
    addRuleset({ blockDeletions: true, restrictUpdates: true }, { target: 'tag', include: ['refs/tags/v*'] });
    await git(folder, 'tag', 'v1');
    expect(await push('wren', 'v1')).toMatchObject({ done: true });
    expect(await push('wren', '--delete', 'v1')).toMatchObject({ done: false });
  });

  test('of a merge queue sends people to the queue, and nobody writes its branches', async () => {
    addRuleset({ mergeQueue: { method: 'merge', checkTimeoutMs: 60_000, maxEntriesToMerge: 5 } });
    await commit(folder, 'one', { 'a.txt': 'a\n' });
    expect((await push('wren', 'main')).says).toContain('- Changes must be made through the merge queue');
    expect(await push('wren', 'HEAD:gh-readonly-queue/main/pr-1-abc')).toMatchObject({ done: false });
  });
});

describe('a push that changes workflows', () => {
  test('needs the permission of an App and the scope of a token', async () => {
    await commit(folder, 'ci', { '.github/workflows/ci.yml': 'on: push\n' });
    const bare = await appUrl({ contents: 'write' });
    expect((await push(bare, 'HEAD:work')).says).toContain(
      'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
    );
    const token = p.pocket.world.tables.tokens.by('text', p.tokenOf('wren'))[0];
    if (token === undefined) throw new Error('wren has no token');
    p.pocket.world.tables.tokens.update(token, { scopes: ['repo'] });
    expect((await push('wren', 'HEAD:work')).says).toContain(
      'refusing to allow a Personal Access Token to create or update workflow `.github/workflows/ci.yml` without `workflow` scope',
    );
    expect(await push(await appUrl(), 'HEAD:work')).toMatchObject({ done: true });
  });

  test('is what a new branch is that has other workflows than the default branch, though it changes none', async () => {
    await commit(folder, 'ci', { '.github/workflows/ci.yml': 'on: push\n' });
    await push('wren', 'main', 'main:release/2');
    await commit(folder, 'newer ci', { '.github/workflows/ci.yml': 'on: issues\n' });
    await push('wren', 'main');
    await git(folder, 'checkout', '--quiet', '-b', 'fix', 'HEAD~1');
    await commit(folder, 'fix', { 'a.txt': 'a\n' });
    const bare = await appUrl({ contents: 'write' });
    const { done, says } = await push(bare, '--atomic', 'HEAD:refs/heads/fix', 'HEAD:refs/heads/release/2');
    expect(done).toBe(false);
    expect(says).toContain(
      '! [remote rejected] HEAD -> fix (refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission)',
    );
    const sha = await git(folder, 'rev-parse', 'HEAD~1');
    const { data } = await p.rest('app-jwt').rest.apps.createInstallationAccessToken({
      installation_id: p.installation.id,
      permissions: { contents: 'write' },
    });
    const app = new Octokit({ baseUrl: p.pocket.urls.api, auth: data.token });
    await expect(app.rest.git.createRef({ ...p.at, ref: 'refs/heads/fix', sha })).rejects.toMatchObject({
      status: 422,
    });
    expect(await push(bare, 'HEAD:refs/heads/release/2')).toMatchObject({ done: true });
    expect(await push(await appUrl(), 'HEAD:refs/heads/fix')).toMatchObject({ done: true });
  });
});
