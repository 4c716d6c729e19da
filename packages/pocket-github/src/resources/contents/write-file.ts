import type { GitPerson, GitTreeEntry } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import { conflict, type GitHubError, notFound, UnmodelledError, unprocessable } from '../../world/errors.js';
import { findRef } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import { demandWorkflowRight, workflowsNotAllowed } from '../git-data/workflow-right.js';
import type { PushRefusal } from '../protection/push-gate.js';
import { gitPerson } from '../pulls/git-people.js';
import { moveGuarded, refusalText } from '../refs/guarded-move.js';

/** One file to be written or, with `content: null`, deleted, as a commit of its own. */
export interface FileWrite {
  readonly path: string;
  readonly content: Buffer | null;
  readonly message: string;
  /** The default branch without. */
  readonly branch: string;
  /** The blob that is replaced: proof that the client has seen it. */
  readonly sha: Oid | undefined;
  readonly author: GitPerson | undefined;
  readonly committer: GitPerson | undefined;
}

export interface FileWritten {
  readonly commit: Oid;
  /** The file was not there before. */
  readonly isNew: boolean;
}

export async function writeFile(context: Context, repository: Repository, write: FileWrite): Promise<FileWritten> {
  const { world, viewer } = context;
  return world.exclusive(repository.id, async () => {
    const git = world.git(repository.id);
    const name = `refs/heads/${write.branch}`;
    const before = branchTip(context, repository, write);
    const existing = before === null ? null : await git.entryAt(before, write.path);
    checkFile(write, existing);
    demandWorkflowRight(viewer, [write.path]);
    const oid = write.content === null ? null : await git.writeBlob(write.content);
    const tree = await git.writeTree(before, [{ path: write.path, mode: existing?.mode ?? '100644', oid }]);
    const commit = await git.writeCommit({
      tree,
      parents: before === null ? [] : [before],
      message: write.message,
      ...people(context, write),
    });
    const doing = write.content === null ? 'delete' : existing === null ? 'create' : 'update';
    await moveGuarded(context, repository, { name, before, after: commit }, (refusal) =>
      refused(context, doing, refusal),
    );
    return { commit, isNew: existing === null };
  });
}

/** The branch must exist, but for the first file of an empty repository. */
function branchTip({ world }: Context, repository: Repository, { branch, content }: FileWrite): Oid | null {
  const tip = findRef(world.tables, repository.id, `refs/heads/${branch}`)?.oid;
  if (tip !== undefined) return tip;
  const isEmpty = world.tables.refs.by('repositoryId', repository.id).length === 0;
  if (isEmpty && content !== null) return null;
  throw notFound(`Branch ${branch} not found`);
}

function checkFile({ path, sha, content }: FileWrite, existing: GitTreeEntry | null): void {
  if (path.split('/').some((part) => ['', '.', '..', '.git'].includes(part))) {
    throw unprocessable('path contains a malformed path component');
  }
  if (existing === null && content === null) throw notFound();
  if (existing !== null && existing.type !== 'blob')
    throw new UnmodelledError(`writing a file over the directory or submodule ${path}`);
  if (existing !== null && sha === undefined) throw unprocessable('Invalid request.\n\n"sha" wasn\'t supplied.');
  if (sha !== undefined && sha !== existing?.oid) throw conflict(`${path} does not match ${sha}`);
}

/** GitHub documents the caller as committer, and the committer as author, where none are given. */
function people({ world, viewer }: Context, { author, committer }: FileWrite) {
  const caller = gitPerson(world, world.tables.users.must(actorOf(viewer).userId));
  return { author: author ?? committer ?? caller, committer: committer ?? caller };
}

function refused({ viewer }: Context, doing: string, refusal: PushRefusal): GitHubError {
  if (refusal.cause === 'workflow') return workflowsNotAllowed(viewer);
  const text = refusalText(refusal);
  return conflict(refusal.cause === 'ruleset' ? text : `Could not ${doing} file: ${text}`);
}
