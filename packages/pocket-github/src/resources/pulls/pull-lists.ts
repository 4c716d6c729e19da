import type { GitCommit } from '../../git/git-repository.js';
import type { Oid, Pull, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { World } from '../../world/world.js';

/** GitHub lists at most this many commits of a pull request. */
const MAX_COMMITS = 250;

/** The pull request's own commits, oldest first. */
export async function pullCommits(world: World, pull: Pull): Promise<readonly GitCommit[]> {
  const commits = await world.git(pull.repositoryId).log(pull.baseOid, pull.headOid);
  return commits.toReversed().slice(0, MAX_COMMITS);
}

/** The pull requests that brought a commit, or would bring it, to their base. */
export async function pullsWithCommit(world: World, db: Tables, repository: Repository, oid: Oid): Promise<Pull[]> {
  const git = world.git(repository.id);
  const found: Pull[] = [];
  for (const pull of db.pulls.by('repositoryId', repository.id)) {
    const own =
      pull.mergeCommitOid === oid ||
      ((await git.isAncestor(oid, pull.headOid)) && !(await git.isAncestor(oid, pull.baseOid)));
    if (own) found.push(pull);
  }
  return found;
}

/** OPEN, CLOSED or MERGED, as GraphQL tells them apart. */
export function pullState(db: Tables, pull: Pull): 'OPEN' | 'CLOSED' | 'MERGED' {
  if (pull.mergedAt !== null) return 'MERGED';
  return db.issues.must(pull.issueId).state === 'open' ? 'OPEN' : 'CLOSED';
}
