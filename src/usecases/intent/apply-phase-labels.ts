import type { ManualAction } from '../../domain/intent/manual-actions.js';
import { formatIssue } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { refusalText } from '../../domain/render/replies/refusals.js';
import { GitHubError } from '../../ports/github.js';
import type { Engine } from '../engine.js';
import { resolveSnapshot, hintsFor } from '../issue/observe.js';
import { accessLevelOf } from '../issue/access-level.js';
import { start } from './start.js';

export type PhaseLabelAction = Extract<ManualAction, { kind: 'phase' }>;

/** What phase labels ask for, told apart by who set them. */
export interface PhaseLabelRequests {
  /** The last one by somebody permitted: nobody else's label takes that away. */
  readonly wanted: PhaseLabelAction | null;
  readonly refused: readonly PhaseLabelAction[];
}

export async function sortPhaseLabels(
  engine: Engine,
  snapshot: IssueSnapshot,
  manualActions: readonly ManualAction[],
): Promise<PhaseLabelRequests> {
  let wanted: PhaseLabelAction | null = null;
  const refused: PhaseLabelAction[] = [];
  for (const manualAction of manualActions) {
    if (manualAction.kind !== 'phase') continue;
    if ((await accessLevelOf(engine, snapshot.ref, manualAction.actor)) === 'write') wanted = manualAction;
    // Whoever marks an issue as done by hand asks for nothing.
    else if (manualAction.phase !== 'done') refused.push(manualAction);
  }
  return { wanted: wanted?.phase === 'done' ? null : wanted, refused };
}

/** Why a label was of no effect, once for each person. */
export async function explainRefusedLabel(
  engine: Engine,
  { ref }: IssueSnapshot,
  refused: PhaseLabelAction,
): Promise<void> {
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
export async function applyPhaseLabels(
  engine: Engine,
  snapshot: IssueSnapshot,
  manualActions: readonly ManualAction[],
): Promise<IssueSnapshot | null> {
  if (snapshot.state === 'closed') return snapshot;
  const { wanted, refused } = await sortPhaseLabels(engine, snapshot, manualActions);
  const next = wanted === null ? await removeLabels(engine, snapshot, refused) : null;
  for (const one of refused) await explainRefusedLabel(engine, snapshot, one);
  return wanted === null ? next : startFromLabel(engine, snapshot, wanted);
}

/** A run from where the label says. `null` when there is nothing to go on from. */
export async function startFromLabel(
  engine: Engine,
  snapshot: IssueSnapshot,
  asked: PhaseLabelAction,
): Promise<IssueSnapshot | null> {
  const { ref } = snapshot;
  const { actor, event, phase } = asked;
  const started = await start(engine, {
    ref,
    at: event.at,
    by: { id: actor.id, login: actor.login },
    startsAt: () => engine.requestQuota.reserveStart(ref),
    retry: phase,
    waiver: { phase, by: actor.login, eventId: event.id },
  });
  engine.log.info({ issue: formatIssue(ref), by: actor.login, phase, started: started.kind }, 'run requested by label');
  if (started.kind === 'text-changed' || started.kind === 'text-unvouched') {
    await removeLabels(engine, snapshot, [asked]);
    await engine.github.reply(ref, `label:${event.id}`, refusalText({ ...started, number: ref.number }));
  }
  return 'snapshot' in started ? started.snapshot : null;
}

async function removeLabels(
  engine: Engine,
  snapshot: IssueSnapshot,
  refused: readonly PhaseLabelAction[],
): Promise<IssueSnapshot> {
  if (refused.length === 0) return snapshot;
  const hints = hintsFor(engine, snapshot.ref);
  const remove = [...new Set(refused.map(({ label }) => label))];
  const change = { kind: 'labels', add: [], remove } as const;
  return resolveSnapshot(engine, await engine.github.project(snapshot, [change], hints), hints);
}
