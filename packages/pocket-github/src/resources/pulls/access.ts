import type { Context } from '../../http/context.js';
import { demand, hasPermission, type Need } from '../../identity/access.js';
import { forbidden } from '../../world/errors.js';
import type { Pull, Repository } from '../../world/model.js';
import { demandOn, orAuthor } from '../issues/access.js';
import { pullChanges } from '../review-threads/place.js';
import { headBranch } from './opening.js';

/* What GitHub's documentation asks of those who work on pull requests. */

export const READ: Need = { app: 'pull_requests:read', role: 'read' };
/** Open one from a branch of this repository, edit it, turn it into a draft. Its author needs no role. */
export const WRITE: Need = { app: 'pull_requests:write', role: 'write' };
/** Close, reopen, ask for reviews. */
export const TRIAGE: Need = { app: 'pull_requests:write', role: 'triage' };
/** Enough to be let near; who may go further depends on whose pull request it is. */
export const APPROACH: Need = { app: 'pull_requests:write', role: 'read' };
export const MERGE: Need = { app: 'contents:write', role: 'write' };

/** Who opens a pull request has to be somebody who may push to its head; to base, reading is enough. */
export function demandHead({ world, viewer }: Context, repository: Repository, head: string): void {
  demand(world.tables, viewer, repository, APPROACH);
  demand(world.tables, viewer, headBranch(world, repository, head).repository, WRITE);
}

/** Refuses unless the caller satisfies `need` or opened the pull request. */
export function demandOrAuthor(context: Context, pull: Pull, need: Need): void {
  const issue = context.world.tables.issues.must(pull.issueId);
  demandOn(context, issue, orAuthor(context, issue, need));
}

/** An App may not bring workflow files into a branch without the permission for them, not even by merging. */
export async function demandWorkflows({ viewer, world }: Context, pull: Pull): Promise<void> {
  if (viewer.kind !== 'installation' || hasPermission(viewer.token.permissions ?? {}, 'workflows:write')) return;
  const changes = await pullChanges(world, pull, pull.headOid);
  const workflow = changes.find(({ path }) => path.startsWith('.github/workflows/'));
  if (workflow === undefined) return;
  throw forbidden(
    `refusing to allow a GitHub App to create or update workflow \`${workflow.path}\` without \`workflows\` permission`,
  );
}
