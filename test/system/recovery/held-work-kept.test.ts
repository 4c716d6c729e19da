import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LEASE_MS } from '../../../src/domain/state/lease-owner.js';
import { type GitHost, GitHostError } from '../../../src/ports/git-host.js';
import type { AgentJob } from '../../../src/ports/agent.js';
import { reconcile } from '../../../src/usecases/reconcile/reconcile.js';
import { agentAnswering, recordingJobs } from '../../support/agent/answering-agent.js';
import { standardAnswer } from '../../support/agent/standard-agent.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openRealGitHarness } from '../../support/service/real-git-harness.js';
import { afterCodeRun, interceptPushes, filesOnBranch } from '../../support/github/interleaving.js';
import { takeOver } from '../../support/service/taken-over.js';

/*
 * Work that changes what only people may change, and something comes between its end and the state that tells of it. It is kept on its
 * ref, and a person is asked about it before an agent is paid again.
 */

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});
const agent = { isBold: true };
beforeEach(() => {
  agent.isBold = true;
});
afterEach(() => p.pocket.faults.clear());

const OWNERS = 'CODEOWNERS';

interface Scene {
  readonly desk: EngineHarness;
  readonly told: AgentJob[];
  readonly codeRuns: () => number;
  readonly kept: () => readonly string[];
}

/** An XS issue whose agent writes one file too many while it is bold; `act` happens when it has just done so. */
async function scene(
  act: (desk: EngineHarness) => Promise<unknown>,
  { gitHost, file = OWNERS }: { readonly gitHost?: (usual: GitHost) => GitHost; readonly file?: string } = {},
): Promise<Scene> {
  const told: AgentJob[] = [];
  const bold = agentAnswering(
    () => p,
    'code',
    async (job) => {
      const usual = await standardAnswer(job, 'XS');
      return usual.kind === 'works' ? { ...usual, files: { ...usual.files, [file]: '* @ada\n' } } : usual;
    },
    () => agent.isBold,
  );
  const place: { desk: EngineHarness | null } = { desk: null };
  const interrupted = afterCodeRun(1, async () => place.desk !== null && act(place.desk));
  const desk = await openRealGitHarness(p, {
    agent: recordingJobs(told, (usual) => interrupted(bold(usual))),
    ...(gitHost === undefined ? {} : { gitHost }),
  });
  place.desk = desk;
  await desk.open('wren');
  await desk.say('wren', 1, '/auto');
  return {
    desk,
    told,
    codeRuns: () => told.filter(({ phase }) => phase === 'code').length,
    kept: () =>
      p.pocket.world.tables.refs
        .by('repositoryId', p.repository.id)
        .filter(({ name }) => name.startsWith('refs/sluice/wip/1/'))
        .map(({ oid }) => oid),
  };
}

/** A permitted person changes what is asked for, and it is heard at once. */
async function edited(desk: EngineHarness): Promise<void> {
  p.clock.advance(1_000);
  await p.rest('wren').rest.issues.update({ ...p.at, issue_number: 1, body: 'Write it down twice.' });
  await reconcile(desk.instance.engine, { ...p.at, number: 1 });
}

const takenOver = (desk: EngineHarness): Promise<void> => takeOver(desk, { ...p.at, number: 1 });

const approved = async ({ desk, codeRuns, kept }: Scene): Promise<void> => {
  const { halt, progress } = await desk.state(1);
  expect(halt).toMatchObject({ state: 'needs-human', code: 'off-limits' });
  const commit = progress.held?.commit ?? '?';
  expect(kept()).toEqual([commit]);
  expect(halt?.because).toContain(`/auto approve ${commit.slice(0, 12)}`);
  expect(halt?.because).toContain(OWNERS);
  expect((await desk.said(1)).join('\n')).toContain(`/auto approve ${commit.slice(0, 12)}`);
  expect(codeRuns()).toBe(1);
  await desk.say('wren', 1, `/auto approve ${commit.slice(0, 12)}`);
  await desk.finish();
  expect(await desk.labels(1)).toContain('phase/done');
  expect(await filesOnBranch(p, 'main', [OWNERS, 'work.txt'])).toEqual({ [OWNERS]: '* @ada\n', 'work.txt': 'done\n' });
  expect(codeRuns()).toBe(1);
};

describe('a person is asked about held work before an agent is paid again', () => {
  test('when the issue was edited while it was being concluded', async () => {
    const place = await scene(edited);
    await place.desk.finish();
    expect(place.told.filter(({ phase }) => phase === 'issue')).toHaveLength(2);
    await approved(place);
  });

  test('when the lease was lost while it was being concluded', async () => {
    const place = await scene(takenOver);
    expect(place.kept()).toHaveLength(1);
    p.clock.advance(LEASE_MS);
    await place.desk.finish();
    await approved(place);
  });

  test('and whoever goes on without approving it has it done otherwise', async () => {
    const place = await scene(takenOver);
    const { desk, told, kept, codeRuns } = place;
    p.clock.advance(LEASE_MS);
    await desk.finish();
    expect(codeRuns()).toBe(1);
    const [commit = '?'] = kept();
    agent.isBold = false;
    await desk.say('wren', 1, '/auto continue Leave the owners alone.');
    await desk.finish();
    expect(await desk.labels(1)).toContain('phase/done');
    expect(await filesOnBranch(p, 'main', [OWNERS, 'work.txt'])).toEqual({ 'work.txt': 'done\n' });
    expect(told.findLast(({ phase }) => phase === 'code')?.prompt).toContain(
      `changes files only people may change: ${commit}`,
    );
  });
});

describe('work is kept on its ref', () => {
  test('when it changes protected files and what was said about it was not accepted', async () => {
    const told: AgentJob[] = [];
    const mute = agentAnswering(
      () => p,
      'code',
      async (job) => {
        const usual = await standardAnswer(job, 'XS');
        if (usual.kind !== 'works') return usual;
        return { ...usual, files: { ...usual.files, [OWNERS]: '* @ada\n' }, result: { nonce: job.nonce, title: '' } };
      },
    );
    const desk = await openRealGitHarness(p, { agent: recordingJobs(told, mute) });
    await desk.open('wren');
    await desk.say('wren', 1, '/auto');
    await desk.finish();
    const second = told.filter(({ phase }) => phase === 'code')[1];
    expect(second?.prompt).toContain('changes files only people may change: ');
  });

  test('when the state cannot be written at all', async () => {
    const line = { isCut: false };
    const place = await scene(async () => void (line.isCut = true), {
      gitHost: (usual) =>
        interceptPushes(usual, async (refs, push) => {
          if (line.isCut && refs.some(({ ref }) => ref === 'refs/sluice/issue-1'))
            throw new GitHostError('the state is refused', 'permanent');
          return push();
        }),
    });
    expect(place.kept()).toHaveLength(1);
  });
});
