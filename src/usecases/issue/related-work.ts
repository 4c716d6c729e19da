import { stateOf } from '../../domain/state/evidence.js';
import { formatRepo } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { type GitHost, GitHostError } from '../../ports/git-host.js';
import { createLru } from '../../cache/lru.js';

/** Pairs of commits that are known to be related; that never changes. Each check costs a git process. */
const REMEMBERED = 1_000;

/** Whether a work branch has no commit in common with its base. When that cannot be found out, the run goes on. */
export function createRelations(gitHost: Pick<GitHost, 'isRelated'>): (snapshot: IssueSnapshot) => Promise<boolean> {
  const related = createLru<true>(REMEMBERED);
  return async (snapshot) => {
    const { ref, base, workHead } = snapshot;
    if (workHead === null || workHead === base.head || stateOf(snapshot).run === null) return false;
    const key = `${formatRepo(ref)} ${workHead} ${base.head}`;
    if (related.get(key) === true) return false;
    const isRelated = await gitHost.isRelated(ref, [workHead, base.head]).catch((error: unknown) => {
      if (!(error instanceof GitHostError)) throw error;
      return null;
    });
    if (isRelated === true) related.set(key, true);
    return isRelated === false;
  };
}
