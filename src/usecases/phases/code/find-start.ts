import { stateOf, workStart } from '../../../domain/state/evidence.js';
import { protectedPaths } from '../../../domain/limits/protected-paths.js';
import { savedWorkRef, previousHeadRef, type Oid } from '../../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../../domain/state/snapshot.js';
import type { Observer } from '../../engine.js';

/** More refs of work kept apart than this are a sign of trouble; the newest are looked at. */
const MOST_APART = 5;

type WorkReader = Pick<Observer, 'gitHost' | 'protectedPatterns'>;

/** Where a code run starts. */
export interface Start {
  readonly at: Oid;
  /** Earlier work that conflicts with it: named to the agent, which can look at it. */
  readonly aside: readonly Oid[];
  /** Earlier work that only a person may let go on: it is left where it is. */
  readonly held: readonly Oid[];
}

/**
 * The commit a code run goes on from: the work branch, whoever pushed to it, together with work of earlier runs that could not be
 * pushed there. Without any of that, base.
 */
export async function findStart(engine: WorkReader, snapshot: IssueSnapshot): Promise<Start> {
  const { ref, base } = snapshot;
  if (stateOf(snapshot).progress.startsOver) return { at: base.head, aside: [], held: [] };
  const known = workStart(snapshot);
  const isGood =
    known !== null && (await isHere(engine, snapshot, known)) && (await mayContinueFrom(engine, snapshot, known));
  const from = isGood ? known : base.head;
  const names = `${savedWorkRef(ref.number, '')}*`;
  const apart = [...new Set((await engine.gitHost.fetch(ref, [names])).values())].slice(-MOST_APART);
  const aside: Oid[] = [];
  const held: Oid[] = [];
  let at = from;
  for (const commit of apart) {
    if (!(await mayContinueFrom(engine, snapshot, commit))) {
      held.push(commit);
      continue;
    }
    const joined = await join(engine, snapshot, at, commit);
    if (joined === null) aside.push(commit);
    else at = joined;
  }
  return { at, aside, held };
}

/** Whether work may be gone on with without a person's word: on the branch people have seen it, elsewhere nobody has. */
async function mayContinueFrom(
  { gitHost, protectedPatterns }: WorkReader,
  snapshot: IssueSnapshot,
  tip: Oid,
): Promise<boolean> {
  const { ref, base, workHead } = snapshot;
  const { held, pushed } = stateOf(snapshot).progress;
  if (tip === workHead || tip === pushed?.head) return true;
  const approved = held !== null && held.approvedBy !== null ? [held.commit] : [];
  const trusted = [...(workHead === null ? [] : [workHead]), ...approved];
  if (trusted.includes(tip)) return true;
  const isProtected = protectedPaths(await protectedPatterns(ref, base.head));
  return (await gitHost.protectedChanges(ref, { tip, base: base.head, trusted, isProtected })).length === 0;
}

async function join({ gitHost }: WorkReader, { ref }: IssueSnapshot, at: Oid, commit: Oid): Promise<Oid | null> {
  if (await gitHost.contains(ref, at, commit)) return at;
  if (await gitHost.contains(ref, commit, at)) return commit;
  const message = 'Merge work that could not be pushed before';
  return gitHost.merge(ref, { first: at, second: commit, take: 'both', message });
}

/** A branch that is gone may have taken its commits along, if nobody here has seen them and no ref was made to keep them. */
async function isHere({ gitHost }: WorkReader, { ref, workHead }: IssueSnapshot, oid: Oid): Promise<boolean> {
  if (oid === workHead || (await gitHost.log(ref, oid, 1)).length > 0) return true;
  return (await gitHost.fetch(ref, [previousHeadRef(ref.number, oid)])).size > 0;
}
