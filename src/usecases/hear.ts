import { isDone, placeOf, stateOf } from '../domain/completion.js';
import { type Gesture, gesturesIn } from '../domain/heard.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import type { IssueState, Wish } from '../domain/state.js';
import { refusalText } from '../domain/words/refusals.js';
import { resizedText } from '../domain/words/size-words.js';
import type { Engine } from './engine.js';
import { hearEdit } from './hear-edit.js';
import { hearSettled } from './hear-settled.js';
import { hearStop } from './hear-stop.js';
import { askedByLabel, explainLabel, hearLabel, startFrom } from './hear-label.js';
import { standingOf } from './permission.js';
import { askedSizes } from './read-sizes.js';
import { swapState } from './swap.js';

/**
 * Takes into account what people did to the issue with their own hands: labels, closing, reopening, editing. Found in the snapshot
 * itself, so it makes no difference whether a webhook, the sweep or a finished phase made us look. Answers the snapshot to go on
 * from, or `null` when somebody else was faster.
 */
export async function hear(engine: Engine, seen: IssueSnapshot): Promise<IssueSnapshot | null> {
  if (seen.reading.kind === 'unverifiable') return seen;
  const stopped = await hearStop(engine, seen);
  const snapshot = stopped === null ? null : await hearSettled(engine, stopped);
  if (snapshot === null) return null;
  const gestures = gesturesIn(snapshot);
  const { run, halt, wish: before } = stateOf(snapshot);
  if (run === null) return hearLabel(engine, snapshot, gestures);
  if (gestures.length === 0) return hearEdit(engine, snapshot);
  const sized = await hearSize(engine, snapshot, gestures);
  if (halt !== null || isDone(snapshot) || isReopening(snapshot, gestures))
    return hearAtRest(engine, snapshot, gestures, sized);
  const wish = await wishOf(engine, snapshot, gestures);
  // Nothing outweighs a stop, whatever is done after it.
  const change = wish === null || before?.kind === 'stop' ? {} : { wish };
  return note(engine, snapshot, gestures, { ...sized, ...change });
}

/** A size label during a run: a permitted person's is written into the state, anybody else's is taken off again and explained. */
async function hearSize(engine: Engine, snapshot: IssueSnapshot, gestures: readonly Gesture[]): Promise<Noted> {
  const { run } = stateOf(snapshot);
  const { wanted, refused } = await askedSizes(engine, snapshot, gestures);
  for (const { actor, label } of refused)
    await engine.github.reply(
      snapshot.ref,
      `size-label:${actor.id}`,
      refusalText({ kind: 'size-label', login: actor.login, label }),
    );
  return run === null || wanted === null ? {} : { run: { ...run, ownSize: wanted, vouchedSize: null } };
}

/** Landed once, and just now opened again. */
function isReopening(snapshot: IssueSnapshot, gestures: readonly Gesture[]): boolean {
  const { done, landed } = stateOf(snapshot).progress;
  const hasLanded = done !== null || landed !== null || snapshot.pull?.state === 'merged';
  return hasLanded && gestures.some(({ kind }) => kind === 'reopened');
}

/** The run has ended: only somebody permitted makes it go on. */
async function hearAtRest(
  engine: Engine,
  snapshot: IssueSnapshot,
  gestures: readonly Gesture[],
  sized: Noted,
): Promise<IssueSnapshot | null> {
  const { wanted, refused } = await askedByLabel(engine, snapshot, gestures);
  for (const one of refused) await explainLabel(engine, snapshot, one);
  if (wanted !== null && snapshot.state === 'open') return startFrom(engine, snapshot, wanted);
  const reopened = gestures.findLast((gesture) => gesture.kind === 'reopened');
  // Whoever reopens it: what is missing is for a person to say, and nothing is spent before they did.
  const rests = reopened !== undefined && stateOf(snapshot).halt === null;
  const halt = {
    state: 'needs-human',
    code: 'reopened',
    because: `${reopened?.actor.login ?? ''} reopened it`,
  } as const;
  return note(engine, snapshot, gestures, { ...sized, ...(rests ? { halt } : {}) });
}

/** What the gestures ask of a run that is going. The last one that counts wins, but nothing outweighs a stop. */
async function wishOf(engine: Engine, snapshot: IssueSnapshot, gestures: readonly Gesture[]): Promise<Wish | null> {
  let wish: Wish | null = null;
  for (const gesture of gestures) {
    const { actor, event } = gesture;
    const around = { by: actor.login, at: event.at };
    // Whoever may close an issue does not want it worked on, permitted or not.
    if (gesture.kind === 'closed') return { ...around, kind: 'stop', because: `${actor.login} closed the issue` };
    if (gesture.kind === 'reopened' || gesture.kind === 'size') continue;
    if ((await standingOf(engine, snapshot.ref, actor)) !== 'drives') {
      if (gesture.kind === 'phase') await explainLabel(engine, snapshot, gesture);
      continue;
    }
    if (gesture.kind === 'unlabelled')
      return { ...around, kind: 'stop', because: `${actor.login} took auto/running away` };
    wish = { ...around, kind: 'go-to', phase: gesture.phase, eventId: event.id };
  }
  return wish;
}

/** What came of listening. */
type Noted = Partial<Pick<IssueState, 'wish' | 'halt' | 'run'>>;

/** Writes down how far we have listened, and what came of it. */
async function note(
  engine: Engine,
  snapshot: IssueSnapshot,
  gestures: readonly Gesture[],
  change: Noted,
): Promise<IssueSnapshot | null> {
  const last = gestures.at(-1)?.event;
  if (last === undefined) return snapshot;
  const state = stateOf(snapshot);
  const because = [
    ...(change.wish?.kind === 'stop' ? [change.wish.because] : []),
    ...(change.run == null ? [] : [resizedText(snapshot, change.run)]),
  ];
  const swapped = await swapState(engine, snapshot, {
    next: { ...state, ...change, heard: { id: last.id, at: last.at } },
    phase: placeOf(snapshot),
    because: because.length === 0 ? `heard what ${last.actor?.login ?? 'ghost'} did` : because.join('; '),
  });
  if (swapped.kind === 'swapped') return swapped.snapshot;
  await engine.queue.wake(snapshot.ref);
  return null;
}
