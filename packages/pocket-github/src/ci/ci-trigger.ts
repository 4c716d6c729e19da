import { latestRuns } from '../resources/checks/required.js';
import type { AnyWorldEvent } from '../world/events.js';
import type { CiJob, Oid, Repository } from '../world/model.js';
import type { World } from '../world/world.js';
import { findCiApp } from './ci-app.js';

/** A commit that CI checks. */
export interface Head {
  readonly repository: Repository;
  readonly oid: Oid;
  readonly branch: string;
  readonly before: Oid | null;
}

/** Jobs that an event asks for. */
export interface Wanted {
  readonly head: Head;
  readonly jobs: readonly CiJob[];
}

const BRANCH = 'refs/heads/';

/** Which jobs an event asks for: new heads of branches and of the merge queue, and what people want to see again. */
export function jobsWantedBy(world: World, event: AnyWorldEvent): Wanted | null {
  if (event.name === 'pushed') {
    const { ref, before, after } = event.data;
    return after === null || !ref.startsWith(BRANCH) ? null : onNewHead(world, event.repositoryId, ref, after, before);
  }
  if (event.name === 'merge group requested') {
    const { ref, headOid, baseOid } = event.data;
    return onNewHead(world, event.repositoryId, ref, headOid, baseOid);
  }
  if (event.name === 'check suite rerequested') return onRerequest(world, event.data.suiteId, () => true);
  if (event.name === 'check run rerequested') {
    const { suiteId, name } = world.tables.checkRuns.must(event.data.runId);
    return onRerequest(world, suiteId, (job) => job.name === name);
  }
  return null;
}

/** Each job runs once on a head by itself, on however many branches that head is. */
function onNewHead(
  world: World,
  repositoryId: number | null,
  ref: string,
  oid: Oid,
  before: Oid | null,
): Wanted | null {
  const repository = repositoryId === null ? undefined : world.tables.repositories.get(repositoryId);
  if (repository === undefined) return null;
  const appId = findCiApp(world)?.id;
  const known = latestRuns(world.tables, repository, oid).filter((run) => run.appId === appId);
  const jobs = repository.ci.filter((job) => !known.some((run) => run.name === job.name));
  return { head: { repository, oid, branch: ref.slice(BRANCH.length), before }, jobs };
}

function onRerequest(world: World, suiteId: number, wanted: (job: CiJob) => boolean): Wanted | null {
  const suite = world.tables.checkSuites.must(suiteId);
  if (suite.appId !== findCiApp(world)?.id) return null;
  const repository = world.tables.repositories.must(suite.repositoryId);
  const head = { repository, oid: suite.headOid, branch: suite.headBranch ?? '', before: suite.beforeOid };
  return { head, jobs: repository.ci.filter(wanted) };
}
