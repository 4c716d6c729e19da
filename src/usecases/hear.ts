import { isDone, placeOf, stateOf } from '../domain/completion.js';
import { type Gesture, gesturesIn } from '../domain/heard.js';
import { formatIssue } from '../domain/ids.js';
import { refusalText } from '../domain/words/refusals.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import type { IssueState, Wish } from '../domain/state.js';
import type { Engine } from './engine.js';
import { hearEdit } from './hear-edit.js';
import { complete, hintsFor } from './observe.js';
import { standingOf } from './permission.js';
import { start } from './start.js';
import { swapState } from './swap.js';

/**
 * Takes into account what people did to the issue with their own hands: labels, closing, reopening, editing. Found in the snapshot
 * itself, so it makes no difference whether a webhook, the sweep or a finished phase made us look. Answers the snapshot to go on
 * from, or `null` when somebody else was faster.
 */
export async function hear(engine: Engine, snapshot: IssueSnapshot): Promise<IssueSnapshot | null> {
  if (snapshot.reading.kind === 'unverifiable') return snapshot;
  const gestures = gesturesIn(snapshot);
  const { run, halt } = stateOf(snapshot);
  if (run === null) return hearLabel(engine, snapshot, gestures);
  if (gestures.length === 0) return hearEdit(engine, snapshot);
  if (halt !== null || isDone(snapshot) || isReopened(snapshot)) return hearAtRest(engine, snapshot, gestures);
  const wish = await wishOf(engine, snapshot, gestures);
  return note(engine, snapshot, gestures, wish === null ? {} : { wish });
}

/** Nobody drives this issue: a permitted person's phase label is a request to, anybody else's is taken off. */
async function hearLabel(
  engine: Engine,
  snapshot: IssueSnapshot,
  gestures: readonly Gesture[],
): Promise<IssueSnapshot | null> {
  const asked = gestures.findLast((gesture) => gesture.kind === 'phase');
  // Whoever marks an issue as done by hand does not want it driven.
  if (asked?.kind !== 'phase' || asked.phase === 'done' || snapshot.state === 'closed') return snapshot;
  if ((await standingOf(engine, snapshot.ref, asked.actor)) === 'drives') return startFrom(engine, snapshot, asked);
  const hints = hintsFor(engine, snapshot.ref);
  const remove = { kind: 'labels', add: [], remove: [asked.label] } as const;
  const next = await complete(engine, await engine.github.project(snapshot, [remove], hints), hints);
  await engine.github.reply(snapshot.ref, `label:${asked.actor.id}`, labelRefusal(asked));
  return next;
}

type PhaseGesture = Extract<Gesture, { kind: 'phase' }>;

const labelRefusal = ({ actor, label }: PhaseGesture): string =>
  refusalText({ kind: 'label', login: actor.login, label });

async function startFrom(engine: Engine, { ref }: IssueSnapshot, asked: PhaseGesture): Promise<IssueSnapshot | null> {
  const { actor, event, phase } = asked;
  const started = await start(engine, {
    ref,
    at: event.at,
    by: { id: actor.id, login: actor.login },
    startsAt: () => engine.turns.start(ref),
    retry: phase,
    waiver: { phase, by: actor.login, eventId: event.id },
  });
  engine.log.info({ issue: formatIssue(ref), by: actor.login, phase, started: started.kind }, 'run requested by label');
  return 'snapshot' in started ? started.snapshot : null;
}

/** Finished once, and open again since. */
function isReopened(snapshot: IssueSnapshot): boolean {
  return stateOf(snapshot).progress.done !== null && snapshot.state === 'open';
}

/** The run has ended: only somebody permitted makes it go on. */
async function hearAtRest(
  engine: Engine,
  snapshot: IssueSnapshot,
  gestures: readonly Gesture[],
): Promise<IssueSnapshot | null> {
  const asked = gestures.findLast((gesture) => gesture.kind === 'phase');
  if (asked?.kind === 'phase' && asked.phase !== 'done' && snapshot.state === 'open') {
    if ((await standingOf(engine, snapshot.ref, asked.actor)) === 'drives') return startFrom(engine, snapshot, asked);
  }
  const reopened = gestures.findLast((gesture) => gesture.kind === 'reopened');
  const isForeign = reopened !== undefined && (await standingOf(engine, snapshot.ref, reopened.actor)) !== 'drives';
  const halt = {
    state: 'needs-human',
    code: 'reopened',
    because: `${reopened?.actor.login ?? ''} reopened it`,
  } as const;
  return note(engine, snapshot, gestures, isForeign && stateOf(snapshot).halt === null ? { halt } : {});
}

/** What the gestures ask of a run that is going. The last one that counts wins, but nothing outweighs a stop. */
async function wishOf(engine: Engine, snapshot: IssueSnapshot, gestures: readonly Gesture[]): Promise<Wish | null> {
  let wish: Wish | null = null;
  for (const gesture of gestures) {
    const { actor, event } = gesture;
    const around = { by: actor.login, at: event.at };
    // Whoever may close an issue does not want it worked on, permitted or not.
    if (gesture.kind === 'closed') return { ...around, kind: 'stop', because: `${actor.login} closed the issue` };
    if (gesture.kind === 'reopened') continue;
    if ((await standingOf(engine, snapshot.ref, actor)) !== 'drives') {
      if (gesture.kind === 'phase') await engine.github.reply(snapshot.ref, `label:${actor.id}`, labelRefusal(gesture));
      continue;
    }
    if (gesture.kind === 'unlabelled')
      return { ...around, kind: 'stop', because: `${actor.login} took auto/running away` };
    wish = { ...around, kind: 'go-to', phase: gesture.phase, eventId: event.id };
  }
  return wish;
}

/** Writes down how far we have listened, and what came of it. */
async function note(
  engine: Engine,
  snapshot: IssueSnapshot,
  gestures: readonly Gesture[],
  change: Partial<IssueState>,
): Promise<IssueSnapshot | null> {
  const last = gestures.at(-1)?.event;
  if (last === undefined) return snapshot;
  const state = stateOf(snapshot);
  const because = change.wish?.kind === 'stop' ? change.wish.because : `heard what ${last.actor?.login ?? ''} did`;
  const swapped = await swapState(engine, snapshot, {
    next: { ...state, ...change, heard: { id: last.id, at: last.at } },
    phase: placeOf(snapshot),
    because,
  });
  if (swapped.kind === 'swapped') return swapped.snapshot;
  await engine.queue.wake(snapshot.ref);
  return null;
}
