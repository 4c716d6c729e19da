import { stateOf, workStart } from '../../domain/completion.js';
import { apartRef, type Oid } from '../../domain/ids.js';
import type { IssueSnapshot } from '../../domain/snapshot.js';
import type { Observer } from '../engine.js';

/** More refs of work kept apart than this are a sign of trouble; the newest are looked at. */
const MOST_APART = 5;

type Looker = Pick<Observer, 'gitHost'>;

/** Where a code run starts. */
export interface Start {
  readonly at: Oid;
  /** Earlier work that conflicts with it: named to the agent, which can look at it. */
  readonly aside: readonly Oid[];
}

/**
 * The commit a code run goes on from: the work branch, whoever pushed to it, together with work of earlier runs that could not be
 * pushed there. Without any of that, base.
 */
export async function findStart(engine: Looker, snapshot: IssueSnapshot): Promise<Start> {
  const { ref, base } = snapshot;
  const known = workStart(snapshot);
  const from = known !== null && (await isHere(engine, snapshot, known)) ? known : base.head;
  if (stateOf(snapshot).progress.startsOver) return { at: base.head, aside: [] };
  const names = `${apartRef(ref.number, '')}*`;
  const apart = [...new Set((await engine.gitHost.fetch(ref, [names])).values())].slice(-MOST_APART);
  const aside: Oid[] = [];
  let at = from;
  for (const commit of apart) {
    const joined = await join(engine, snapshot, at, commit);
    if (joined === null) aside.push(commit);
    else at = joined;
  }
  return { at, aside };
}

async function join({ gitHost }: Looker, { ref }: IssueSnapshot, at: Oid, commit: Oid): Promise<Oid | null> {
  if (await gitHost.contains(ref, at, commit)) return at;
  if (await gitHost.contains(ref, commit, at)) return commit;
  const message = 'Merge work that could not be pushed before';
  return gitHost.merge(ref, { first: at, second: commit, take: 'both', message });
}

/** A branch that is gone may have taken its commits along, if nobody here has seen them. */
async function isHere({ gitHost }: Looker, { ref, workHead }: IssueSnapshot, oid: Oid): Promise<boolean> {
  if (oid === workHead) return true;
  return (await gitHost.log(ref, oid, 1)).length > 0;
}
