import { describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { addRuleset, protectMain } from '../support/branch-protection.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const NOWHERE = 'f'.repeat(40);
const git = () => p.rest('wren').rest.git;

describe('reading refs', () => {
  test('a branch by its name below refs/', async () => {
    const { data } = await git().getRef({ ...p.at, ref: 'heads/main' });
    expect(data).toMatchObject({ ref: 'refs/heads/main', object: { type: 'commit', sha: tipOf(p, 'main') } });
    expect(data.url).toBe(`${p.pocket.urls.api}/repos/ada/sandbox/git/refs/heads/main`);
  });

  test('a name that is only the start of one is not found', async () => {
    expect(await refusalOf(git().getRef({ ...p.at, ref: 'heads/mai' }))).toEqual({ status: 404, message: 'Not Found' });
  });

  test('all refs that begin with a name, or simply all', async () => {
    await pushTo(p, 'feature/a', { files: { a: '1' } });
    await pushTo(p, 'feature/b', { files: { b: '1' } });
    const names = async (ref: string) =>
      (await git().listMatchingRefs({ ...p.at, ref })).data.map((found) => found.ref);
    expect(await names('heads/feature')).toEqual(['refs/heads/feature/a', 'refs/heads/feature/b']);
    expect(await names('')).toEqual(['refs/heads/feature/a', 'refs/heads/feature/b', 'refs/heads/main']);
    expect(await names('tags')).toEqual([]);
  });
});

const LONG = `refs/heads/${'l'.repeat(245)}`;

describe('creating refs', () => {
  const create = (ref: string, sha = tipOf(p, 'main')) => git().createRef({ ...p.at, ref, sha });

  test('a branch, a tag and a ref of our own', async () => {
    for (const ref of ['refs/heads/topic', 'refs/tags/v1', 'refs/sluice/issue-1']) {
      expect((await create(ref)).status).toBe(201);
      expect((await git().getRef({ ...p.at, ref: ref.slice(5) })).data.object.sha).toBe(tipOf(p, 'main'));
    }
    // Git has them too, not only the records.
    expect((await p.pocket.world.git(p.repository.id).listRefs()).get('refs/sluice/issue-1')).toBe(tipOf(p, 'main'));
  });

  test.each([
    ['one that exists', 'refs/heads/main', 'Reference already exists'],
    ['one without refs/', 'main', 'Reference name must contain at least three slash-separated components.'],
    ['a name git does not take', 'refs/heads/a..b', 'refs/heads/a..b is not a valid ref name.'],
    ['half a character', 'refs/heads/\ud800', 'refs/heads/\ud800 is not a valid ref name.'],
    ['a name of more than 255 bytes', LONG, `${LONG} is not a valid ref name.`],
    ['one below another', 'refs/heads/main/deeper', 'Reference update failed'],
    ['one of a pull request', 'refs/pull/9/head', 'Reference update failed'],
  ])('%s is refused', async (_, ref, message) => {
    expect(await refusalOf(create(ref))).toEqual({ status: 422, message });
  });

  test('an object that is not there cannot be pointed at', async () => {
    const refused = { status: 422, message: 'Object does not exist' };
    expect(await refusalOf(create('refs/heads/x', NOWHERE))).toEqual(refused);
  });

  test('a branch is a commit, while a tag may be anything', async () => {
    const { data } = await git().createBlob({ ...p.at, content: 'x' });
    expect(await refusalOf(create('refs/heads/x', data.sha))).toEqual({
      status: 422,
      message: 'Reference update failed',
    });
    expect((await create('refs/tags/x', data.sha)).data.object.type).toBe('blob');
  });

  test('takes the right to write contents', async () => {
    const reader = p.rest('rita').rest.git.createRef({ ...p.at, ref: 'refs/heads/x', sha: tipOf(p, 'main') });
    expect((await refusalOf(reader)).status).toBe(403);
  });
});

describe('moving refs', () => {
  const update = (sha: string, force?: boolean, ref = 'heads/main') =>
    git().updateRef({ ...p.at, ref, sha, ...(force === undefined ? {} : { force }) });

  test('forward without force', async () => {
    const ahead = await pushTo(p, 'topic', { files: { a: '1' } });
    expect((await update(ahead)).data.object.sha).toBe(ahead);
    expect(tipOf(p, 'main')).toBe(ahead);
  });

  test('anywhere else only by force', async () => {
    const start = tipOf(p, 'main');
    await pushTo(p, 'main', { files: { a: '1' } });
    expect(await refusalOf(update(start))).toEqual({ status: 422, message: 'Update is not a fast forward' });
    expect((await update(start, true)).data.object.sha).toBe(start);
  });

  test('to where it is already tells nobody', async () => {
    await update(tipOf(p, 'main'));
    expect((await p.deliveries()).map(({ event }) => event)).toEqual([]);
  });

  test('that do not exist, to objects that do not, is refused', async () => {
    expect(await refusalOf(update(tipOf(p, 'main'), false, 'heads/nope'))).toEqual({
      status: 422,
      message: 'Reference does not exist',
    });
    expect(await refusalOf(update(NOWHERE))).toEqual({ status: 422, message: 'Object does not exist' });
    // The name is taken below refs/, so a full one leads nowhere.
    expect((await refusalOf(update(tipOf(p, 'main'), false, 'refs/heads/main'))).message).toBe(
      'Reference does not exist',
    );
  });

  test('two at once, of which the second was too late', async () => {
    const start = tipOf(p, 'main');
    const one = await pushTo(p, 'one', { files: { a: '1' } });
    const two = await pushTo(p, 'two', { files: { b: '1' }, onto: start });
    const outcomes = await Promise.allSettled([update(one), update(two)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('deleting refs', () => {
  const remove = (ref: string) => git().deleteRef({ ...p.at, ref });

  test('a branch, once', async () => {
    await pushTo(p, 'topic', { files: { a: '1' } });
    expect((await remove('heads/topic')).status).toBe(204);
    expect(await refusalOf(remove('heads/topic'))).toEqual({ status: 422, message: 'Reference does not exist' });
  });

  test('the default branch stays', async () => {
    expect(await refusalOf(remove('heads/main'))).toEqual({ status: 422, message: 'Cannot delete the default branch' });
  });
});

describe('protected branches through the refs API', () => {
  test('refuse what a push could not do, in the words of the API', async () => {
    protectMain(p, { requirePullRequest: true, requiredChecks: [{ context: 'ci', appId: null }] });
    const sha = await pushTo(p, 'topic', { files: { a: '1' } });
    expect(await refusalOf(git().updateRef({ ...p.at, ref: 'heads/main', sha }))).toEqual({
      status: 422,
      message: 'Changes must be made through a pull request. Required status check "ci" is expected.',
    });
    expect(tipOf(p, 'main')).not.toBe(sha);
  });

  test('are not forced', async () => {
    const start = tipOf(p, 'main');
    await pushTo(p, 'main', { files: { a: '1' } });
    protectMain(p, { blockForcePushes: true });
    expect(await refusalOf(git().updateRef({ ...p.at, ref: 'heads/main', sha: start, force: true }))).toEqual({
      status: 422,
      message: 'Cannot force-push to this branch',
    });
  });

  test('a ruleset says so at the top', async () => {
    await pushTo(p, 'kept', { files: { a: '1' } });
    addRuleset(p, ['~ALL'], { blockDeletions: true });
    expect(await refusalOf(git().deleteRef({ ...p.at, ref: 'heads/kept' }))).toEqual({
      status: 422,
      message: 'Repository rule violations found\n\nCannot delete this branch\n\n',
    });
  });
});

test('a repository without commits has no git data', async () => {
  const { world } = p.pocket;
  for (const ref of world.tables.refs.all()) world.tables.refs.delete(ref.id);
  expect(await refusalOf(git().getRef({ ...p.at, ref: 'heads/main' }))).toEqual({
    status: 409,
    message: 'Git Repository is empty.',
  });
});
