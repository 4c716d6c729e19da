import { stateRefName, workBranch } from '../../../src/domain/issue/ids.js';
import { runLabel } from '../../../src/domain/issue/label.js';
import {
  addItem,
  commitFiles,
  createComment,
  editComment,
  seedProject,
  insertField,
  type Issue,
  moveRefs,
  setFieldValue,
} from '#pocket-github/testing';
import { pushTo } from '#pocket-github/test/branches';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { addRuleset, protectMain } from '#pocket-github/test/branch-protection';

/* Issues that have something of everything an answer can show. */

const actorOf = (p: TestPocket, person: 'ada' | 'wren' = 'ada') => ({ userId: p.users[person].id, viaAppId: null });

function issueRow(p: TestPocket, number: number): Issue {
  const found = p.pocket.world.tables.issues.by('repositoryId', p.repository.id).find((one) => one.number === number);
  if (found === undefined) throw new Error(`there is no issue ${number}`);
  return found;
}

export async function openIssue(
  p: TestPocket,
  title: string,
): Promise<{ readonly number: number; readonly id: string }> {
  const { data } = await p.rest('wren').rest.issues.create({ ...p.at, title, body: '- [ ] One thing' });
  return { number: data.number, id: data.node_id };
}

/** A commit under the issue's state ref, with a state file. */
export async function pushState(p: TestPocket, number: number): Promise<void> {
  const { world } = p.pocket;
  const author = { name: 'sluice', email: 'sluice@example.com', at: world.now() };
  const commit = (parent: string | null) =>
    commitFiles(world.git(p.repository.id), { parent, files: { 'state.json': '{}' }, message: 'State', author });
  const after = await commit(await commit(null));
  await moveRefs(world, actorOf(p), p.repository, [{ name: stateRefName(number), before: null, after }]);
}

/** More comments than GitHub sends at once, the oldest of them ada's. */
export async function addManyComments(p: TestPocket, number: number): Promise<void> {
  const issue = issueRow(p, number);
  const { world } = p.pocket;
  for (let said = 0; said < 103; said += 1) {
    const actor = actorOf(p, said === 0 ? 'ada' : 'wren');
    const comment = await createComment(world, actor, issue, `Comment ${said}`);
    if (said === 0) await editComment(world, actor, comment, 'First comment');
  }
}

/** Edited, labelled, closed and opened again, commented on, on two boards. */
export async function enrichIssue(p: TestPocket, number: number): Promise<void> {
  const { issues } = p.rest('ada').rest;
  const at = { ...p.at, issue_number: number };
  await issues.update({ ...at, title: 'Grow taller', body: '- [ ] One thing\n- [ ] Another' });
  const labels = ['garden', 'shed', runLabel('running')];
  for (const name of labels) await issues.createLabel({ ...p.at, name });
  await issues.addLabels({ ...at, labels });
  await issues.removeLabel({ ...at, name: 'shed' });
  await issues.update({ ...at, state: 'closed' });
  await issues.update({ ...at, state: 'open' });
  for (const who of ['wren', 'ada'] as const) {
    const { data } = await p.rest(who).rest.issues.createComment({ ...at, body: 'Hm' });
    await p.rest(who).rest.issues.updateComment({ ...p.at, comment_id: data.id, body: 'Well' });
    await p.rest('ada').rest.reactions.createForIssueComment({ ...p.at, comment_id: data.id, content: 'eyes' });
  }
  const { world } = p.pocket;
  for (const options of [['S', 'M'], undefined]) {
    const project = seedProject(world, { owner: p.users.ada, title: 'Board' });
    const size = insertField(world, project, { name: 'Size', ...(options === undefined ? {} : { options }) });
    const card = await addItem(world, actorOf(p), project, issueRow(p, number));
    const value = options === undefined ? { text: 'M' } : { singleSelectOptionId: size.options[1]?.id ?? '' };
    await setFieldValue(world, actorOf(p), card, size, value);
  }
}

/** A merged pull request from the issue's work branch, and an open one with checks, reviews and rules for its base. */
export async function addPulls(p: TestPocket, number: number): Promise<number> {
  const head = workBranch(number);
  const { pulls, repos } = p.rest('ada').rest;
  const open = async (title: string) => (await pulls.create({ ...p.at, title, head, base: 'main' })).data.number;
  await pushTo(p, head, { files: { 'first.txt': 'first\n' } });
  await pulls.merge({ ...p.at, pull_number: await open('First') });
  const sha = await pushTo(p, head, { files: { 'second.txt': 'second\nline\n' } });
  const pull_number = await open('Second');
  await repos.createCommitStatus({ ...p.at, sha, state: 'success', context: 'lint', description: 'fine' });
  const output = { title: 'Tests', summary: 'All passed' };
  await p
    .rest('app')
    .rest.checks.create({ ...p.at, head_sha: sha, name: 'test', status: 'completed', conclusion: 'success', output });
  await pulls.update({ ...p.at, pull_number, state: 'closed' });
  await pulls.update({ ...p.at, pull_number, state: 'open' });
  await pulls.requestReviewers({ ...p.at, pull_number, reviewers: ['tess'] });
  await p.rest('wren').rest.pulls.createReview({
    ...p.at,
    pull_number,
    event: 'REQUEST_CHANGES',
    body: 'Not like this',
    comments: [{ path: 'second.txt', line: 1, body: 'Why?' }],
  });
  await p.rest('rita').rest.pulls.createReview({ ...p.at, pull_number, event: 'APPROVE', body: 'Fine' });
  await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: pull_number, body: '/auto' });
  const required = { requiredChecks: [{ context: 'test', appId: p.app.id }], requiredApprovals: 1 };
  protectMain(p, { ...required, requirePullRequest: true });
  addRuleset(p, ['refs/heads/main'], required);
  return pull_number;
}
