import { stateOf, workStart } from '../../../domain/state/evidence.js';
import { protectedPaths } from '../../../domain/limits/protected-paths.js';
import { savedWorkRef, previousHeadRef, type Oid } from '../../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../../domain/state/snapshot.js';
import type { Observer } from '../../engine.js';

/** Only the newest refs with saved work are read. More than this are a sign of trouble. */
const MOST_APART = 5;

type WorkReader = Pick<Observer, 'gitHost' | 'protectedPatterns'>;

/** Where a code run starts. */
export interface Start {
  readonly at: Oid;
  /** Earlier work that conflicts with it. The agent gets the commit ids and can read them. */
  readonly aside: readonly Oid[];
  /** Earlier work that needs a person's approval. It is not used. */
  readonly held: readonly Oid[];
}

/**
 * The commit a code run starts from: the work branch, whoever pushed to it, merged with work of earlier runs that could not be pushed
 * there. Without either, base.
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

/** Whether work may be continued without approval. People could see it on the branch; work on other refs must not change protected files. */
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

/** Whether a commit can still be read. The commits of a deleted branch may be gone if no ref keeps them and this host never fetched them. */
async function isHere({ gitHost }: WorkReader, { ref, workHead }: IssueSnapshot, oid: Oid): Promise<boolean> {
  if (oid === workHead || (await gitHost.log(ref, oid, 1)).length > 0) return true;
  return (await gitHost.fetch(ref, [previousHeadRef(ref.number, oid)])).size > 0;
}
