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

/** What phase labels ask for, split by the permission of who set them. */
export interface PhaseLabelRequests {
  /** The last one by a permitted person; labels of others do not override it. */
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
    // Setting `phase/done` by hand asks for nothing.
    else if (manualAction.phase !== 'done') refused.push(manualAction);
  }
  return { wanted: wanted?.phase === 'done' ? null : wanted, refused };
}

/** Explains why a label had no effect, once for each person. */
export async function explainRefusedLabel(
  engine: Engine,
  { ref }: IssueSnapshot,
  refused: PhaseLabelAction,
): Promise<void> {
  const { actor, label } = refused;
  const text = refusalText({ kind: 'label', login: actor.login, label });
  await engine.github.reply(ref, `label:${actor.id}`, text, 'stranger').catch((error: unknown) => {
    // A rate limit on a reply to a stranger must not delay the issue.
    if (!(error instanceof GitHubError) || error.problem !== 'rate-limited') throw error;
    engine.log.info({ issue: formatIssue(ref), author: actor.login, why: error.message }, 'stranger not answered');
  });
}

/** On an issue that is not driven, a permitted person's phase label starts a run; anybody else's is removed. */
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

/** Starts a run at the label's phase. `null` when there is no snapshot to continue from. */
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
