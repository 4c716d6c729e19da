import { ownWork } from '../../domain/state/evidence.js';
import { previousHeadRef } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { GitHostError } from '../../ports/git-host.js';
import type { Engine } from '../engine.js';
import { keepHere } from './keep-work.js';

/** Keeps our commits of a work branch that somebody replaced. Without a ref of their own GitHub would drop them. */
export async function keepFormer(engine: Engine, snapshot: IssueSnapshot): Promise<void> {
  const { gitHost } = engine;
  const { ref, workHead } = snapshot;
  for (const oid of ownWork(snapshot)) {
    const isOnBranch = workHead !== null && (await gitHost.contains(ref, workHead, oid));
    // Another instance made it, and it may be under no ref on GitHub any more.
    if (isOnBranch || (await gitHost.log(ref, oid, 1)).length === 0) continue;
    const pushed = await gitHost.push(ref, [{ ref: previousHeadRef(ref.number, oid), expected: null, to: oid }]);
    if (pushed.kind === 'refused' && pushed.isPassing)
      throw new GitHostError(`GitHub does not take ${pushed.ref} now: ${pushed.why}`, 'transient');
    if (pushed.kind !== 'pushed') await keepHere(engine, { ref, phaseRun: oid }, oid);
  }
}
