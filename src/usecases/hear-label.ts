import type { Gesture } from '../domain/heard.js';
import { formatIssue } from '../domain/ids.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import { refusalText } from '../domain/words/refusals.js';
import { GitHubError } from '../ports/github.js';
import type { Engine } from './engine.js';
import { complete, hintsFor } from './observe.js';
import { standingOf } from './permission.js';
import { start } from './start.js';

export type PhaseGesture = Extract<Gesture, { kind: 'phase' }>;

/** What phase labels ask for, told apart by who set them. */
export interface AskedByLabel {
  /** The last one by somebody permitted: nobody else's label takes that away. */
  readonly wanted: PhaseGesture | null;
  readonly refused: readonly PhaseGesture[];
}

export async function askedByLabel(
  engine: Engine,
  snapshot: IssueSnapshot,
  gestures: readonly Gesture[],
): Promise<AskedByLabel> {
  let wanted: PhaseGesture | null = null;
  const refused: PhaseGesture[] = [];
  for (const gesture of gestures) {
    if (gesture.kind !== 'phase') continue;
    if ((await standingOf(engine, snapshot.ref, gesture.actor)) === 'drives') wanted = gesture;
    // Whoever marks an issue as done by hand asks for nothing.
    else if (gesture.phase !== 'done') refused.push(gesture);
  }
  return { wanted: wanted?.phase === 'done' ? null : wanted, refused };
}

/** Why a label was of no effect, once for each person. */
export async function explainLabel(engine: Engine, { ref }: IssueSnapshot, refused: PhaseGesture): Promise<void> {
  const { actor, label } = refused;
  const text = refusalText({ kind: 'label', login: actor.login, label });
  await engine.github.reply(ref, `label:${actor.id}`, text, 'stranger').catch((error: unknown) => {
    // The issue must not wait for what a stranger is to be told.
    if (!(error instanceof GitHubError) || error.problem !== 'rate-limited') throw error;
    engine.log.info(
      { issue: formatIssue(ref), author: actor.login, why: error.message },
      'a stranger was not answered',
    );
  });
}

/** Nobody drives this issue: a permitted person's phase label is a request to, anybody else's is taken off. */
export async function hearLabel(
  engine: Engine,
  snapshot: IssueSnapshot,
  gestures: readonly Gesture[],
): Promise<IssueSnapshot | null> {
  if (snapshot.state === 'closed') return snapshot;
  const { wanted, refused } = await askedByLabel(engine, snapshot, gestures);
  const next = wanted === null ? await withoutLabels(engine, snapshot, refused) : null;
  for (const one of refused) await explainLabel(engine, snapshot, one);
  return wanted === null ? next : startFrom(engine, snapshot, wanted);
}

/** A run from where the label says. `null` when there is nothing to go on from. */
export async function startFrom(
  engine: Engine,
  snapshot: IssueSnapshot,
  asked: PhaseGesture,
): Promise<IssueSnapshot | null> {
  const { ref } = snapshot;
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
  if (started.kind === 'text-changed' || started.kind === 'text-unvouched') {
    await withoutLabels(engine, snapshot, [asked]);
    await engine.github.reply(ref, `label:${event.id}`, refusalText({ ...started, number: ref.number }));
  }
  return 'snapshot' in started ? started.snapshot : null;
}

async function withoutLabels(
  engine: Engine,
  snapshot: IssueSnapshot,
  refused: readonly PhaseGesture[],
): Promise<IssueSnapshot> {
  if (refused.length === 0) return snapshot;
  const hints = hintsFor(engine, snapshot.ref);
  const remove = [...new Set(refused.map(({ label }) => label))];
  const change = { kind: 'labels', add: [], remove } as const;
  return complete(engine, await engine.github.project(snapshot, [change], hints), hints);
}
