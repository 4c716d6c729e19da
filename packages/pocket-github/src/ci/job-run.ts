import { createRun, type RunChange, updateRun } from '../resources/checks/runs.js';
import { ensureSuite } from '../resources/checks/suites.js';
import { fullName } from '../world/lookup.js';
import type { CheckRun, CiJob } from '../world/model.js';
import type { World } from '../world/world.js';
import { withCheckout } from './checkout.js';
import { ensureCiApp } from './ci-app.js';
import type { CiFacts, CiOutcome } from './ci-script.js';
import type { Head } from './ci-trigger.js';
import { runJob, type Timer } from './job-process.js';
import { reportOf, reportWithoutRun } from './job-report.js';

/** Opens the check run of a job, queued. */
export async function openRun(world: World, { repository, oid, branch, before }: Head, job: CiJob): Promise<CheckRun> {
  const app = ensureCiApp(world);
  ensureSuite(world, repository, app, { oid, branch, before });
  return createRun(world, { userId: app.botId, viaAppId: app.id }, repository, app, { name: job.name, headOid: oid });
}

/** Writes to a check run, unless the world was set back to before it existed. */
export async function report(world: World, { id, appId }: CheckRun, change: RunChange): Promise<void> {
  const run = world.tables.checkRuns.get(id);
  if (run === undefined) return;
  const app = world.tables.apps.must(appId);
  await updateRun(world, { userId: app.botId, viaAppId: appId }, app, run, change);
}

/** How often a job was started on its head, this time included. */
export function attemptsOf(world: World, { suiteId, name }: CheckRun): number {
  return world.tables.checkRuns.by('suiteId', suiteId).filter((run) => run.name === name).length;
}

export async function factsOf(
  world: World,
  { repository, oid, branch }: Head,
  { name }: CheckRun,
  attempt: number,
): Promise<CiFacts> {
  const git = world.git(repository.id);
  const commit = await git.commit(oid);
  const changes = await git.changes(commit?.parents[0] ?? null, oid);
  return {
    repository: fullName(world.tables, repository),
    job: name,
    branch,
    oid,
    message: commit?.message ?? '',
    paths: changes.map((change) => change.path),
    attempt,
  };
}

/** Runs the job's command or takes its scripted end. `null` when CI was closed meanwhile. */
export async function resultOf(
  outcome: Exclude<CiOutcome, 'queued-forever'>,
  attempt: number,
  execute: () => Promise<RunChange | null>,
): Promise<RunChange | null> {
  if (outcome === 'run') return execute();
  if (outcome === 'infra-failure') {
    return reportWithoutRun('startup_failure', 'The runner could not be started (scripted).');
  }
  if (outcome === 'flaky') {
    return reportWithoutRun(attempt === 1 ? 'failure' : 'success', `Attempt ${attempt} of a flaky job (scripted).`);
  }
  return reportWithoutRun(outcome, `This job ends as ${outcome} (scripted).`);
}

export async function execute(
  world: World,
  { repository, oid }: Head,
  job: CiJob,
  timer: Timer,
  signal: AbortSignal,
): Promise<RunChange | null> {
  try {
    return await withCheckout(world.git(repository.id), oid, signal, async (checkout) => {
      const ending = await runJob({ command: job.run, timeoutMs: job.timeoutMs }, checkout, timer, signal);
      return ending.kind === 'stopped' ? null : reportOf(job, ending);
    });
  } catch (error) {
    return reportWithoutRun(
      'startup_failure',
      `The job could not be started: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
