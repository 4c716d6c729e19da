import { describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';
import { errorsOf } from '../support/api-refusals.js';
import { formatNodeId } from '../../src/world/tables.js';

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const repositoryId = () => formatNodeId('repositories', p.repository.id);

const CREATE = `mutation ($input: CreateCheckRunInput!) {
  createCheckRun(input: $input) { checkRun { id databaseId name status conclusion title detailsUrl } }
}`;
const UPDATE = `mutation ($input: UpdateCheckRunInput!) {
  updateCheckRun(input: $input) { checkRun { status conclusion completedAt annotations(first: 5) {
    nodes { path message annotationLevel location { start { line column } end { line } } } } } }
}`;
const ON_COMMIT = `query ($oid: GitObjectID!) { repository(owner: "ada", name: "sandbox") { object(oid: $oid) { ... on Commit {
  status { state contexts { context state } }
  checkSuites(first: 5) { nodes { status conclusion app { slug } branch { name } checkRuns(first: 5) { nodes { name } } } }
  statusCheckRollup { state contexts(first: 10) { totalCount checkRunCount statusContextCount nodes {
    __typename ... on CheckRun { name conclusion } ... on StatusContext { context state creator { login } } } } }
} } } }`;

interface Created {
  readonly createCheckRun: { readonly checkRun: { readonly id: string; readonly databaseId: number } };
}

async function create(input: Record<string, unknown> = {}) {
  const app = await p.graphql('app');
  const whole = { repositoryId: repositoryId(), headSha: tipOf(p, 'main'), name: 'lint', ...input };
  return (await app<Created>(CREATE, { input: whole })).createCheckRun.checkRun;
}

async function onCommit() {
  const rita = await p.graphql('rita');
  const answer = await rita<{ repository: { object: Record<string, unknown> } }>(ON_COMMIT, { oid: tipOf(p, 'main') });
  return answer.repository.object;
}

const setStatus = (context: string, state: 'error' | 'failure' | 'pending' | 'success') =>
  p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha: tipOf(p, 'main'), context, state });

describe('check run mutations', () => {
  test('make and complete a run', async () => {
    const made = await create({ status: 'IN_PROGRESS', output: { title: 'Lint', summary: 'looking' } });
    expect(made).toMatchObject({ name: 'lint', status: 'IN_PROGRESS', conclusion: null, title: 'Lint' });
    const annotation = {
      path: 'README.md',
      location: { startLine: 1, endLine: 2, startColumn: 3 },
      annotationLevel: 'FAILURE',
      message: 'no',
    };
    const app = await p.graphql('app');
    const input = {
      repositoryId: repositoryId(),
      checkRunId: made.id,
      conclusion: 'FAILURE',
      output: { title: 'Lint', summary: 'found', annotations: [annotation] },
    };
    expect(await app(UPDATE, { input })).toMatchObject({
      updateCheckRun: {
        checkRun: {
          status: 'COMPLETED',
          conclusion: 'FAILURE',
          completedAt: '2026-01-05T09:00:00Z',
          annotations: {
            nodes: [
              {
                path: 'README.md',
                annotationLevel: 'FAILURE',
                location: { start: { line: 1, column: 3 }, end: { line: 2 } },
              },
            ],
          },
        },
      },
    });
  });

  test('are for Apps', async () => {
    const ada = await p.graphql('ada');
    const input = { repositoryId: repositoryId(), headSha: tipOf(p, 'main'), name: 'lint' };
    expect(await errorsOf(ada(CREATE, { input }))).toEqual(['FORBIDDEN: You must authenticate via a GitHub App.']);
  });

  test('re-request a suite', async () => {
    await create({ conclusion: 'FAILURE' });
    const suite = p.pocket.world.tables.checkSuites.all().at(-1);
    const app = await p.graphql('app');
    const document = `mutation ($input: RerequestCheckSuiteInput!) { rerequestCheckSuite(input: $input) { checkSuite { status conclusion } } }`;
    const input = { repositoryId: repositoryId(), checkSuiteId: formatNodeId('checkSuites', suite?.id ?? 0) };
    expect(await app(document, { input })).toEqual({
      rerequestCheckSuite: { checkSuite: { status: 'QUEUED', conclusion: null } },
    });
  });
});

describe('a commit', () => {
  test('has neither status nor rollup before anything was reported', async () => {
    expect(await onCommit()).toEqual({ status: null, statusCheckRollup: null, checkSuites: { nodes: [] } });
  });

  test('shows checks and statuses together, the newest of each', async () => {
    await create({ conclusion: 'FAILURE' });
    await create({ conclusion: 'SUCCESS' });
    await setStatus('deploy', 'success');
    expect(await onCommit()).toEqual({
      status: { state: 'SUCCESS', contexts: [{ context: 'deploy', state: 'SUCCESS' }] },
      checkSuites: {
        nodes: [
          {
            status: 'COMPLETED',
            conclusion: 'SUCCESS',
            app: { slug: 'sluice-dev' },
            branch: { name: 'main' },
            checkRuns: { nodes: [{ name: 'lint' }, { name: 'lint' }] },
          },
        ],
      },
      statusCheckRollup: {
        state: 'SUCCESS',
        contexts: {
          totalCount: 2,
          checkRunCount: 1,
          statusContextCount: 1,
          nodes: [
            { __typename: 'CheckRun', name: 'lint', conclusion: 'SUCCESS' },
            { __typename: 'StatusContext', context: 'deploy', state: 'SUCCESS', creator: { login: 'wren' } },
          ],
        },
      },
    });
  });

  test.each([
    ['SUCCESS', 'SUCCESS', 'success'],
    ['SUCCESS', 'NEUTRAL', 'success'],
    ['PENDING', null, 'success'],
    ['PENDING', 'SUCCESS', 'pending'],
    ['ERROR', 'SUCCESS', 'error'],
    ['FAILURE', 'CANCELLED', 'pending'],
    ['FAILURE', 'SUCCESS', 'failure'],
  ] as const)('rolls up to %s from a check that is %s and a status that is %s', async (rollup, conclusion, state) => {
    await create(conclusion === null ? {} : { conclusion });
    await setStatus('deploy', state);
    expect((await onCommit())['statusCheckRollup']).toMatchObject({ state: rollup });
  });

  test('keeps its checks from an App without the permission', async () => {
    await create({ conclusion: 'SUCCESS' });
    p.pocket.world.tables.repositories.update(p.repository, { private: true });
    p.pocket.world.tables.installations.update(p.installation, { permissions: { contents: 'read', statuses: 'read' } });
    const app = await p.graphql('app');
    expect(await errorsOf(app(ON_COMMIT, { oid: tipOf(p, 'main') }))).toEqual([
      'FORBIDDEN: Resource not accessible by integration',
      'FORBIDDEN: Resource not accessible by integration',
    ]);
  });
});

describe('isRequired', () => {
  const REQUIRED = `query { repository(owner: "ada", name: "sandbox") { pullRequest(number: 1) { statusCheckRollup { contexts(first: 9) { nodes {
    ... on CheckRun { name isRequired(pullRequestNumber: 1) } ... on StatusContext { context isRequired(pullRequestNumber: 1) } } } } } } }`;

  test('goes by what the base of the pull request demands, and of whom', async () => {
    const headSha = await pushTo(p, 'work', { files: { 'a.txt': 'a\n' } });
    await p.rest('wren').rest.pulls.create({ ...p.at, title: 'Work', head: 'work', base: 'main' });
    await create({ headSha, name: 'lint' });
    await create({ headSha, name: 'types' });
    await create({ headSha, name: 'foreign' });
    for (const context of ['deploy', 'types']) {
      await p.rest('wren').rest.repos.createCommitStatus({ ...p.at, sha: headSha, context, state: 'success' });
    }
    protectMain(p, {
      requiredChecks: [
        { context: 'lint', appId: null },
        { context: 'types', appId: p.app.id },
        { context: 'foreign', appId: 999_999 },
        { context: 'deploy', appId: null },
      ],
    });
    expect(await (await p.graphql('rita'))(REQUIRED)).toMatchObject({
      repository: {
        pullRequest: {
          statusCheckRollup: {
            contexts: {
              nodes: [
                { name: 'lint', isRequired: true },
                { name: 'types', isRequired: true },
                { name: 'foreign', isRequired: false },
                { context: 'deploy', isRequired: true },
                // Set by a person, but expected from the App.
                { context: 'types', isRequired: false },
              ],
            },
          },
        },
      },
    });
  });
});
