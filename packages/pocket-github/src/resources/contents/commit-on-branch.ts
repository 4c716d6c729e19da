import type { GitRepository } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import { GitHubError, notFound, unprocessable } from '../../world/errors.js';
import { findRef } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import type { PushRefusal } from '../protection/push-gate.js';
import { gitPerson, webFlow } from '../pulls/git-people.js';
import { moveGuarded, refusalText } from '../refs/guarded-move.js';

/** Several files changed by one commit on top of a branch. */
export interface BranchCommit {
  /** Without `refs/heads/`. */
  readonly branch: string;
  /** Where the branch must be. */
  readonly expectedHead: Oid;
  readonly message: string;
  readonly additions: readonly { readonly path: string; readonly content: Buffer }[];
  readonly deletions: readonly string[];
}

/** Commits on a branch if it still is where the client thinks. GitHub itself is the committer. */
export async function commitOnBranch(context: Context, repository: Repository, request: BranchCommit): Promise<Oid> {
  const { world, viewer } = context;
  return world.exclusive(repository.id, async () => {
    const name = `refs/heads/${request.branch}`;
    const head = findRef(world.tables, repository.id, name)?.oid;
    if (head === undefined) throw notFound(`Could not resolve to a branch with the name '${request.branch}'.`);
    if (head !== request.expectedHead) throw staleData(request.expectedHead);
    const git = world.git(repository.id);
    const tree = await git.writeTree(head, [
      ...(await deletions(git, head, request)),
      ...(await additions(git, head, request)),
    ]);
    const author = gitPerson(world, world.tables.users.must(actorOf(viewer).userId));
    const { message } = request;
    const after = await git.writeCommit({ tree, parents: [head], message, author, committer: webFlow(world) });
    await moveGuarded(context, repository, { name, before: head, after }, (refusal) =>
      refused(request.branch, refusal),
    );
    return after;
  });
}

/** A file that exists keeps its mode. */
function additions(git: GitRepository, head: Oid, { additions: files }: BranchCommit) {
  return Promise.all(
    files.map(async ({ path, content }) => {
      const existing = await git.entryAt(head, path);
      const mode = existing?.type === 'blob' ? existing.mode : '100644';
      return { path, mode, oid: await git.writeBlob(content) };
    }),
  );
}

function deletions(git: GitRepository, head: Oid, { deletions: paths }: BranchCommit) {
  return Promise.all(
    paths.map(async (path) => {
      if ((await git.entryAt(head, path)) !== null) return { path, mode: '100644', oid: null };
      throw notFound(`A path was requested for deletion which does not exist as of commit oid \`${head}\``);
    }),
  );
}

function staleData(expected: Oid): GitHubError {
  const message = `Expected branch to point to "${expected}" but it did not.  Pull and try again.`;
  return new GitHubError(409, message, { type: 'STALE_DATA' });
}

/** Classic protection has words and a type of its own here; rulesets have neither. */
function refused(branch: string, refusal: PushRefusal): GitHubError {
  if (refusal.cause !== 'protection') return unprocessable(refusalText(refusal));
  const message = `protected branch '${branch}' check failed:\n  ${refusal.violations.join('\n  ')}`;
  return new GitHubError(422, message, { type: 'BRANCH_PROTECTION_RULE_VIOLATION' });
}
