import { describe, expect, test } from '@jest/globals';
import { createRun } from '../../src/resources/checks/runs.js';
import { seedApp, seedInstallation } from '../../src/resources/apps/seed-app.js';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';
import { compareWithExamples } from '../support/webhook-shape.js';
import { appKeys } from '../support/app-keys.js';

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const main = () => tipOf(p, 'main');
const create = (more: Record<string, unknown> = {}) =>
  p.rest('app').rest.checks.create({ ...p.at, name: 'lint', head_sha: main(), ...more });

/** A check run that another App made. */
async function foreignRun(name = 'build') {
  const { world } = p.pocket;
  const app = seedApp(world, {
    owner: p.users.ada,
    slug: 'other-ci',
    permissions: { checks: 'write' },
    events: [],
    keys: appKeys(),
  });
  seedInstallation(world, app, p.users.ada, 'all');
  return createRun(world, { userId: app.botId, viaAppId: app.id }, p.repository, app, { name, headOid: main() });
}

describe('a check run', () => {
  test('is queued when new, by its App, with the address of the App as its details', async () => {
    const { data } = await create();
    expect(data).toMatchObject({
      name: 'lint',
      head_sha: main(),
      status: 'queued',
      conclusion: null,
      external_id: '',
      details_url: `${p.pocket.urls.html}/apps/sluice-dev`,
      started_at: '2026-01-05T09:00:00Z',
      completed_at: null,
      output: { title: null, summary: null, text: null, annotations_count: 0 },
      app: { slug: 'sluice-dev' },
      pull_requests: [],
    });
    expect((await p.rest('rita').rest.checks.get({ ...p.at, check_run_id: data.id })).data).toEqual(data);
  });

  test('is completed by a conclusion, and opened again by another status', async () => {
    const { data: run } = await create({ status: 'in_progress' });
    const app = p.rest('app').rest.checks;
    const at = { ...p.at, check_run_id: run.id };
    const { data: done } = await app.update({ ...at, conclusion: 'success' });
    expect(done).toMatchObject({ status: 'completed', conclusion: 'success', completed_at: '2026-01-05T09:00:00Z' });
    const { data: again } = await app.update({ ...at, status: 'in_progress' });
    expect(again).toMatchObject({ status: 'in_progress', conclusion: null, completed_at: null });
  });

  test('cannot be completed without a conclusion', async () => {
    expect(await refusalOf(create({ status: 'completed' }))).toEqual({
      status: 422,
      message: 'Invalid request.\n\n"conclusion" wasn\'t supplied.',
    });
  });

  test('can be made only by an App', async () => {
    expect(await refusalOf(p.rest('ada').rest.checks.create({ ...p.at, name: 'lint', head_sha: main() }))).toEqual({
      status: 403,
      message: 'You must authenticate via a GitHub App.',
    });
  });

  test('can be changed only by the App that made it', async () => {
    const run = await foreignRun();
    const { status, message } = await refusalOf(
      p.rest('app').rest.checks.update({ ...p.at, check_run_id: run.id, conclusion: 'success' }),
    );
    expect(status).toBe(403);
    expect(message).toContain('check run can only be modified by the GitHub App that created it');
  });

  test('is not made on what is no commit of the repository', async () => {
    const head_sha = 'f'.repeat(40);
    expect(await refusalOf(create({ head_sha }))).toEqual({
      status: 422,
      message: `No commit found for SHA: ${head_sha}`,
    });
  });

  test('takes 65,535 characters of summary and not one more', async () => {
    const output = (length: number) => ({ output: { title: 'Long', summary: 'x'.repeat(length) } });
    expect((await create(output(65_535))).data.output.summary).toHaveLength(65_535);
    expect(await refusalOf(create(output(65_536)))).toEqual({
      status: 422,
      message: 'Invalid request.\n\nOnly 65535 characters are allowed; 65536 were supplied.',
    });
  });

  test('gathers annotations over several requests, fifty at a time', async () => {
    const annotation = (line: number) => ({
      path: 'README.md',
      start_line: line,
      end_line: line,
      annotation_level: 'warning' as const,
      message: `line ${line}`,
    });
    const annotations = Array.from({ length: 50 }, (_, index) => annotation(index + 1));
    const output = { title: 'Lint', summary: 'found', annotations };
    const { data: run } = await create({ output });
    const app = p.rest('app').rest.checks;
    const at = { ...p.at, check_run_id: run.id };
    await app.update({ ...at, output: { ...output, annotations: [annotation(51)] } });
    const { data } = await app.listAnnotations({ ...at, per_page: 100 });
    expect(data).toHaveLength(51);
    expect(data.at(-1)).toMatchObject({
      path: 'README.md',
      start_line: 51,
      start_column: null,
      annotation_level: 'warning',
      message: 'line 51',
      blob_href: `${p.pocket.urls.html}/ada/sandbox/blob/${main()}/README.md`,
    });
    expect(
      await refusalOf(app.update({ ...at, output: { ...output, annotations: [...annotations, annotation(1)] } })),
    ).toEqual({
      status: 422,
      message: 'Invalid request.\n\nNo more than 50 items are allowed; 51 were supplied.',
    });
  });

  test('cannot be written by an App without the permission', async () => {
    const { world } = p.pocket;
    world.tables.installations.update(p.installation, { permissions: { checks: 'read' } });
    expect(await refusalOf(create())).toEqual({ status: 403, message: 'Resource not accessible by integration' });
  });
});

describe('lists of check runs', () => {
  test('show the newest of each name, or all, and filter by name, status and App', async () => {
    const { data: first } = await create({ conclusion: 'failure' });
    const { data: second } = await create({ conclusion: 'success' });
    const { data: other } = await create({ name: 'types' });
    const foreign = await foreignRun('lint');
    const list = async (more: object) => {
      const { data } = await p.rest('rita').rest.checks.listForRef({ ...p.at, ref: 'main', ...more });
      expect(data.total_count).toBe(data.check_runs.length);
      return data.check_runs.map((run) => run.id);
    };
    expect(await list({})).toEqual([foreign.id, other.id, second.id]);
    expect(await list({ filter: 'all' })).toEqual([foreign.id, other.id, second.id, first.id]);
    expect(await list({ check_name: 'lint', app_id: p.app.id })).toEqual([second.id]);
    expect(await list({ status: 'completed' })).toEqual([second.id]);
    expect(await list({ ref: main() })).toHaveLength(3);
  });

  test('are paged', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const { data, headers } = await p.rest('app').rest.checks.listForRef({ ...p.at, ref: 'main', per_page: 2 });
    expect(data).toMatchObject({ total_count: 3, check_runs: [{ name: 'c' }, { name: 'b' }] });
    expect(headers.link).toContain('rel="next"');
  });

  test('of a commit nobody knows are refused', async () => {
    expect(await refusalOf(p.rest('app').rest.checks.listForRef({ ...p.at, ref: 'nowhere' }))).toEqual({
      status: 422,
      message: 'No commit found for SHA: nowhere',
    });
  });
});

describe('a check suite', () => {
  const suiteOf = async (ref: string) => {
    const { data } = await p.rest('app').rest.checks.listSuitesForRef({ ...p.at, ref });
    expect(data.total_count).toBe(1);
    return data.check_suites[0];
  };

  test('is made for each App that writes checks when a branch is pushed, and the App alone is asked', async () => {
    const { world } = p.pocket;
    const hook = { url: p.receiver.url, secret: null };
    const reader = {
      owner: p.users.ada,
      slug: 'reader',
      permissions: { checks: 'read' },
      events: ['check_suite'],
      hook,
    } as const;
    seedInstallation(world, seedApp(world, reader), p.users.ada, 'all');
    const before = main();
    const oid = await pushTo(p, 'main', { files: { 'a.txt': 'a\n' } });
    const suite = await suiteOf('main');
    expect(suite).toMatchObject({
      head_branch: 'main',
      head_sha: oid,
      before,
      after: oid,
      status: 'queued',
      conclusion: null,
      latest_check_runs_count: 0,
      head_commit: { id: oid, message: 'Change a.txt', author: { name: 'wren' } },
      app: { slug: 'sluice-dev' },
      repository: { full_name: 'ada/sandbox' },
    });
    const asked = (await p.deliveries()).filter(({ event }) => event === 'check_suite');
    expect(asked.map(({ payload }) => payload)).toMatchObject([
      { action: 'requested', check_suite: { id: suite?.id, head_sha: oid }, repository: { full_name: 'ada/sandbox' } },
    ]);
  });

  test('sums up its runs: as slow as the slowest, as bad as the worst', async () => {
    const app = p.rest('app').rest.checks;
    const { data: lint } = await create();
    const { data: types } = await create({ name: 'types' });
    expect(await suiteOf('main')).toMatchObject({ status: 'queued', latest_check_runs_count: 2 });
    await app.update({ ...p.at, check_run_id: lint.id, conclusion: 'success' });
    expect(await suiteOf('main')).toMatchObject({ status: 'in_progress', conclusion: null });
    await app.update({ ...p.at, check_run_id: types.id, conclusion: 'timed_out' });
    expect(await suiteOf('main')).toMatchObject({ status: 'completed', conclusion: 'timed_out' });
    await create({ name: 'types', conclusion: 'neutral' });
    expect(await suiteOf('main')).toMatchObject({ status: 'completed', conclusion: 'neutral' });
  });

  test('can be made by hand once', async () => {
    const app = p.rest('app').rest.checks;
    const first = await app.createSuite({ ...p.at, head_sha: main() });
    const second = await app.createSuite({ ...p.at, head_sha: main() });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.data.id).toBe(first.data.id);
    expect((await app.getSuite({ ...p.at, check_suite_id: first.data.id })).data).toEqual(first.data);
    await create();
    const { data } = await app.listForSuite({ ...p.at, check_suite_id: first.data.id });
    expect(data).toMatchObject({ total_count: 1, check_runs: [{ name: 'lint', check_suite: { id: first.data.id } }] });
  });

  test('is queued again when re-requested, and its App is asked', async () => {
    await create({ conclusion: 'failure' });
    const suite = await suiteOf('main');
    await p.rest('app').rest.checks.rerequestSuite({ ...p.at, check_suite_id: suite?.id ?? 0 });
    expect(await suiteOf('main')).toMatchObject({ status: 'queued', conclusion: null });
    const { data: runs } = await p.rest('app').rest.checks.listForRef({ ...p.at, ref: 'main' });
    expect(runs.check_runs).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
    expect((await p.deliveries()).at(-1)).toMatchObject({ event: 'check_suite', payload: { action: 'rerequested' } });
  });

  test('cannot be re-requested by a person', async () => {
    await create();
    const suite = await suiteOf('main');
    const request = p.rest('ada').rest.checks.rerequestSuite({ ...p.at, check_suite_id: suite?.id ?? 0 });
    expect(await refusalOf(request)).toEqual({ status: 403, message: 'You must authenticate via a GitHub App.' });
  });
});

describe('re-requesting a run', () => {
  test('leaves the run, queues its suite and asks its App', async () => {
    const { data: run } = await create({ conclusion: 'failure' });
    await p.rest('app').rest.checks.rerequestRun({ ...p.at, check_run_id: run.id });
    expect((await p.rest('app').rest.checks.get({ ...p.at, check_run_id: run.id })).data.conclusion).toBe('failure');
    expect(p.pocket.world.tables.checkSuites.all().at(-1)).toMatchObject({ status: 'queued', conclusion: null });
    expect((await p.deliveries()).at(-1)).toMatchObject({
      event: 'check_run',
      payload: { action: 'rerequested', check_run: { id: run.id } },
    });
  });

  test('is for the App that made it', async () => {
    const run = await foreignRun();
    const { status } = await refusalOf(p.rest('app').rest.checks.rerequestRun({ ...p.at, check_run_id: run.id }));
    expect(status).toBe(403);
  });
});

describe('webhooks of checks', () => {
  test('tell of a run made, a run completed and then its suite, in the shape GitHub sends', async () => {
    const { data: run } = await create({ status: 'in_progress' });
    const app = p.rest('app').rest.checks;
    await app.update({ ...p.at, check_run_id: run.id, output: { title: 'Half', summary: 'way' } });
    await app.update({ ...p.at, check_run_id: run.id, conclusion: 'success' });
    const received = await p.deliveries();
    expect(received.map(({ event, payload }) => `${event} ${payload.action}`)).toEqual([
      'check_run created',
      'check_run completed',
      'check_suite completed',
    ]);
    expect(received[1]?.payload).toMatchObject({
      check_run: {
        id: run.id,
        status: 'completed',
        conclusion: 'success',
        output: { title: 'Half' },
        check_suite: { head_branch: 'main', head_sha: main() },
      },
      sender: { login: 'sluice-dev[bot]' },
    });
    expect(received[2]?.payload).toMatchObject({ check_suite: { status: 'completed', conclusion: 'success' } });
    for (const delivery of received) {
      const { examples, missing } = compareWithExamples(delivery);
      expect(examples).toBeGreaterThan(0);
      expect(missing).toEqual([]);
    }
  });
});
