import type { Instant } from '../../clock/clock.js';
import { forbidden, unprocessable } from '../../world/errors.js';
import type { App, CheckConclusion, CheckRun, CheckStatus, Oid, Repository } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { checkOutput, notSupplied, type RunOutput } from './run-limits.js';
import { ensureSuite, settleSuite } from './suites.js';

/** What a check run is given or changed to. */
export interface RunChange {
  readonly name?: string | undefined;
  readonly status?: CheckStatus | undefined;
  /** Giving a conclusion completes the run. */
  readonly conclusion?: CheckConclusion | undefined;
  readonly externalId?: string | undefined;
  readonly detailsUrl?: string | undefined;
  readonly startedAt?: Instant | undefined;
  readonly completedAt?: Instant | undefined;
  readonly output?: RunOutput | undefined;
}

export interface NewRun extends RunChange {
  readonly name: string;
  readonly headOid: Oid;
}

/** Refuses a head that is not a commit of the repository. */
export async function demandCommit(world: World, repository: Repository, oid: Oid): Promise<void> {
  const commit = /^[0-9a-f]{40}$/.test(oid) ? await world.git(repository.id).commit(oid) : null;
  if (commit === null) throw unprocessable(`No commit found for SHA: ${oid}`);
}

export async function createRun(
  world: World,
  actor: Actor,
  repository: Repository,
  app: App,
  given: NewRun,
): Promise<CheckRun> {
  checkChange(given);
  if (given.output !== undefined && given.output.title === undefined) throw notSupplied('title');
  await demandCommit(world, repository, given.headOid);
  const suite = ensureSuite(world, repository, app, { oid: given.headOid });
  const blank: CheckRun = {
    id: world.newId(),
    repositoryId: repository.id,
    suiteId: suite.id,
    appId: app.id,
    headOid: given.headOid,
    name: given.name,
    status: 'queued',
    conclusion: null,
    externalId: '',
    detailsUrl: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
    startedAt: world.now(),
    completedAt: null,
  };
  const run = world.tables.checkRuns.insert({ ...blank, ...changed(world, blank, given) });
  const subject = { repositoryId: repository.id };
  await world.record(actor, 'check run created', subject, { runId: run.id });
  if (run.status === 'completed') await world.record(actor, 'check run completed', subject, { runId: run.id });
  await settleSuite(world, actor, suite.id);
  return run;
}

export async function updateRun(
  world: World,
  actor: Actor,
  app: App,
  run: CheckRun,
  change: RunChange,
): Promise<CheckRun> {
  if (run.appId !== app.id) {
    throw forbidden(`Invalid app_id \`${app.id}\` - check run can only be modified by the GitHub App that created it.`);
  }
  checkChange(change);
  const next = world.tables.checkRuns.update(run, changed(world, run, change));
  const settled = next.status === 'completed' && (run.status !== 'completed' || next.conclusion !== run.conclusion);
  if (settled) await world.record(actor, 'check run completed', { repositoryId: run.repositoryId }, { runId: run.id });
  await settleSuite(world, actor, run.suiteId);
  return next;
}

/** A run is completed exactly when it has a conclusion. */
function checkChange(change: RunChange): void {
  const ends = change.status === 'completed' || change.completedAt !== undefined;
  if (ends && change.conclusion === undefined) throw notSupplied('conclusion');
  if (change.output !== undefined) checkOutput(change.output);
}

function changed(world: World, run: CheckRun, change: RunChange): Partial<CheckRun> {
  const { output } = change;
  return {
    name: change.name ?? run.name,
    externalId: change.externalId ?? run.externalId,
    detailsUrl: change.detailsUrl ?? run.detailsUrl,
    startedAt: change.startedAt ?? run.startedAt,
    ...progress(world, change),
    ...(output === undefined
      ? {}
      : {
          title: output.title ?? run.title,
          summary: output.summary,
          text: output.text ?? run.text,
          // Each request adds its annotations to those of the ones before.
          annotations: [...run.annotations, ...(output.annotations ?? [])],
        }),
  };
}

function progress(world: World, { status, conclusion, completedAt }: RunChange): Partial<CheckRun> {
  if (conclusion !== undefined) return { status: 'completed', conclusion, completedAt: completedAt ?? world.now() };
  if (status !== undefined) return { status, conclusion: null, completedAt: null };
  return {};
}
