import { stat } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { CiScript } from '../../src/ci/ci-script.js';
import type { CiJob } from '../../src/world/model.js';
import { pushTo } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';

const job = (name: string, run: string): CiJob => ({ name, run, timeoutMs: 60_000 });
const scripts: CiScript[] = [];

let p: TestPocket;
freshPocketEachTest(
  (pocket) => {
    p = pocket;
  },
  undefined,
  { ciScripts: scripts },
);

/** Lets the sandbox run these jobs. */
function withJobs(jobs: readonly CiJob[], ...given: readonly CiScript[]): void {
  scripts.splice(0, scripts.length, ...given);
  p.pocket.world.tables.repositories.update(p.repository, { ci: jobs });
}

const scripted = (outcome: CiScript['outcome']) => withJobs([job('test', 'true')], { when: {}, outcome });

async function runsAt(oid: string, filter: 'latest' | 'all' = 'latest') {
  await p.pocket.settle();
  const { data } = await p.rest('rita').rest.checks.listForRef({ ...p.at, ref: oid, filter });
  return data.check_runs;
}

describe('jobs of a repository', () => {
  test('run on each pushed head in a checkout of it and report a check run each', async () => {
    withJobs([job('test', 'sh test.sh && cat new.txt'), job('lint', 'echo bad style >&2; exit 3')]);
    const oid = await pushTo(p, 'work', { files: { 'new.txt': 'fresh content\n' } });
    const [lint, tests] = await runsAt(oid);
    expect(tests).toMatchObject({
      name: 'test',
      app: { slug: 'pocket-ci' },
      status: 'completed',
      conclusion: 'success',
      output: { title: 'test passed' },
    });
    expect(tests?.output.summary).toContain('fresh content');
    expect(lint).toMatchObject({
      name: 'lint',
      conclusion: 'failure',
      output: { title: 'lint ended with exit code 3' },
    });
    expect(lint?.output.summary).toContain(
      '`echo bad style >&2; exit 3` ended with exit code 3.\n\n```\nbad style\n```',
    );
  });

  test('are queued at once, then run, then completed, and webhooks tell', async () => {
    withJobs([job('test', 'true')]);
    const oid = await pushTo(p, 'work', { files: { 'a.txt': 'a\n' } });
    const told = (await p.deliveries())
      .filter(({ event }) => event === 'check_run' || event === 'check_suite')
      .map(({ event, payload }) => {
        const subject = payload[event] as { status: string; conclusion: string | null; app: { slug: string } };
        return `${subject.app.slug}: ${event} ${payload.action} ${subject.status} ${subject.conclusion}`;
      });
    expect(told).toEqual([
      'sluice-dev: check_suite requested queued null',
      'pocket-ci: check_run created queued null',
      'pocket-ci: check_run completed completed success',
      'pocket-ci: check_suite completed completed success',
    ]);
    expect(p.pocket.world.tables.checkSuites.by('headOid', oid)).toMatchObject([
      { headBranch: 'work' },
      { headBranch: 'work', status: 'completed', conclusion: 'success' },
    ]);
  });

  test('run once per head, on however many branches it is, and not for tags', async () => {
    withJobs([job('test', 'true')]);
    const oid = await pushTo(p, 'work', { files: { 'a.txt': 'a\n' } });
    await p.rest('wren').rest.git.createRef({ ...p.at, ref: 'refs/heads/copy', sha: oid });
    await p.rest('wren').rest.git.createRef({ ...p.at, ref: 'refs/tags/v1', sha: oid });
    expect(await runsAt(oid, 'all')).toHaveLength(1);
  });

  test('see no more of our environment than they need, and leave nothing behind', async () => {
    process.env['POCKET_TEST_SECRET'] = 'do not leak';
    withJobs([job('test', 'env; touch left-behind')]);
    const oid = await pushTo(p, 'work', { files: { 'a.txt': 'a\n' } });
    delete process.env['POCKET_TEST_SECRET'];
    const [run] = await runsAt(oid);
    const lines = run?.output.summary?.match(/^\w+=.*$/gm) ?? [];
    const names = lines.map((line) => line.split('=')[0]);
    expect(names).toEqual(expect.arrayContaining(['CI', 'HOME', 'LANG', 'PATH']));
    // A shell adds its own few.
    expect(
      names.filter((name) => !['CI', 'HOME', 'LANG', 'PATH', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? '')),
    ).toEqual([]);
    const folder = lines.find((line) => line.startsWith('PWD='))?.slice('PWD='.length) ?? '';
    expect(folder).toContain('pocket-ci-');
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  test('that print much show the end of it', async () => {
    withJobs([job('test', 'seq 1 40000')]);
    const oid = await pushTo(p, 'work', { files: { 'a.txt': 'a\n' } });
    const summary = (await runsAt(oid))[0]?.output.summary ?? '';
    expect(summary.length).toBeLessThan(65_535);
    expect(summary).toContain('\n40000\n');
    expect(summary).not.toContain('\n1\n');
  });

  test('run again when the suite is re-requested', async () => {
    withJobs([job('test', 'true'), job('lint', 'true')]);
    const oid = await pushTo(p, 'work', { files: { 'a.txt': 'a\n' } });
    const first = await runsAt(oid);
    await p.rest('app').rest.checks.rerequestSuite({ ...p.at, check_suite_id: first[0]?.check_suite?.id ?? 0 });
    const latest = await runsAt(oid);
    expect(latest.map((run) => run.name)).toEqual(['lint', 'test']);
    expect(latest.map((run) => run.id)).not.toEqual(first.map((run) => run.id));
    expect(latest).toMatchObject([{ conclusion: 'success' }, { conclusion: 'success' }]);
  });
});

describe('scripted outcomes', () => {
  test('queued forever stays queued and keeps nobody waiting', async () => {
    scripted('queued-forever');
    const oid = await pushTo(p, 'work', { files: { 'a.txt': 'a\n' } });
    expect(await runsAt(oid)).toMatchObject([{ status: 'queued', conclusion: null }]);
  });

  test('an infra failure ends as startup_failure', async () => {
    scripted('infra-failure');
    const oid = await pushTo(p, 'work', { files: { 'a.txt': 'a\n' } });
    expect(await runsAt(oid)).toMatchObject([{ status: 'completed', conclusion: 'startup_failure' }]);
  });

  test('a flaky job fails once per head and passes when re-requested', async () => {
    scripted('flaky');
    for (const content of ['a\n', 'b\n']) {
      const oid = await pushTo(p, 'work', { files: { 'a.txt': content } });
      const [run] = await runsAt(oid);
      expect(run).toMatchObject({ conclusion: 'failure' });
      await p.rest('app').rest.checks.rerequestSuite({ ...p.at, check_suite_id: run?.check_suite?.id ?? 0 });
      expect(await runsAt(oid)).toMatchObject([{ conclusion: 'success' }]);
      expect(await runsAt(oid, 'all')).toHaveLength(2);
    }
  });

  test('any conclusion can be ordered', async () => {
    scripted('action_required');
    const oid = await pushTo(p, 'work', { files: { 'a.txt': 'a\n' } });
    expect(await runsAt(oid)).toMatchObject([{ conclusion: 'action_required' }]);
  });

  test.each<[string, CiScript['when']]>([
    ['job', { job: 'test' }],
    ['branch', { branch: 'feature/*' }],
    ['message', { message: 'break it' }],
    ['path', { path: 'docs/' }],
    ['function', ({ branch, paths, attempt }) => branch === 'feature/x' && paths.length === 1 && attempt === 1],
  ])('apply by %s only where they fit', async (_, when) => {
    withJobs([job('test', 'true'), job('other', 'true')], { when, outcome: 'failure' });
    const hit = await pushTo(p, 'feature/x', { files: { 'docs/a.md': 'a\n' }, message: 'Please break it' });
    const miss = await pushTo(p, 'work', { files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
    const failed = async (oid: string) =>
      (await runsAt(oid)).filter((run) => run.conclusion === 'failure').map((run) => run.name);
    const byJob = typeof when === 'object' && when.job !== undefined;
    expect(await failed(hit)).toEqual(byJob ? ['test'] : ['other', 'test']);
    expect(await failed(miss)).toEqual(byJob ? ['test'] : []);
  });
});
