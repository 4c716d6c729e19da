import { validationFailed } from '../../world/errors.js';
import type { CommitStatus, Oid, Repository, StatusState } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { demandCommit } from '../checks/runs.js';

export interface NewStatus {
  readonly state: StatusState;
  readonly context?: string | undefined;
  readonly description?: string | null | undefined;
  readonly targetUrl?: string | null | undefined;
}

const DEFAULT_CONTEXT = 'default';
const MAX_DESCRIPTION = 140;
const MAX_PER_CONTEXT = 1000;

/** Statuses are never changed: a new one of the same context takes the place of the last. */
export async function createStatus(
  world: World,
  actor: Actor,
  repository: Repository,
  oid: Oid,
  given: NewStatus,
): Promise<CommitStatus> {
  await demandCommit(world, repository, oid);
  const context = given.context ?? DEFAULT_CONTEXT;
  checkDescription(given.description ?? '');
  checkCount(world, repository, oid, context);
  const status = world.tables.statuses.insert({
    id: world.newId(),
    repositoryId: repository.id,
    oid,
    state: given.state,
    context,
    description: given.description ?? null,
    targetUrl: given.targetUrl ?? null,
    creatorId: actor.userId,
    createdAt: world.now(),
  });
  await world.record(actor, 'status created', { repositoryId: repository.id }, { statusId: status.id });
  return status;
}

function checkDescription(description: string): void {
  if (description.length <= MAX_DESCRIPTION) return;
  const message = `description is too long (maximum is ${MAX_DESCRIPTION} characters)`;
  throw validationFailed({ resource: 'Status', code: 'custom', field: 'description', message });
}

function checkCount(world: World, repository: Repository, oid: Oid, context: string): void {
  const same = (status: CommitStatus) =>
    status.repositoryId === repository.id && status.context.toLowerCase() === context.toLowerCase();
  if (world.tables.statuses.by('oid', oid).filter(same).length < MAX_PER_CONTEXT) return;
  const message = 'This SHA and context has reached the maximum number of statuses.';
  throw validationFailed({ resource: 'Status', code: 'custom', field: 'context', message });
}
