import type { GivenSize, GivenSizes } from '../../domain/issue/given-size.js';
import type { ManualAction } from '../../domain/intent/manual-actions.js';
import { sizeIn } from '../../domain/issue/label.js';
import { isStronger, type Size } from '../../domain/issue/size.js';
import type { Actor, IssueEvent, IssueSnapshot } from '../../domain/state/snapshot.js';
import type { IssueState } from '../../domain/state/state.js';
import type { Instant } from '../../domain/issue/instant.js';
import type { Observer } from '../engine.js';
import { accessLevelOf } from '../issue/access-level.js';

/** Who asked for a run, and when. */
interface RunRequester {
  readonly by: { readonly id: number; readonly login: string };
  readonly at: Instant;
}

/** A size label on the issue, and the timeline event that set it, if the timeline reaches that far back. */
interface SizeLabel {
  readonly size: Size;
  readonly set: IssueEvent | null;
}

/**
 * Which size label counts when a permitted person asks for a run. Labels set by permitted people decide. A newer label by somebody else
 * counts too if it was there before the request: who asks for a run vouches for what they see.
 */
export async function readSizes(
  engine: Pick<Observer, 'github'>,
  snapshot: IssueSnapshot,
  before: IssueState,
  asked: RunRequester,
): Promise<GivenSizes> {
  const labels = sizeLabels(snapshot);
  // Our own label only repeats what was set in an earlier run.
  const own = (await ownSize(engine, snapshot, labels, asked)) ?? before.run?.ownSize ?? null;
  const known = [own?.size, before.progress.triage?.size];
  const stood = labels.filter(({ size, set }) => !known.includes(size) && couldBeVouched(set, own, asked.at));
  const vouched = boardSize(snapshot, own, asked.at) ?? strongest(stood.map(({ size }) => size));
  const at = Math.min(asked.at, snapshot.readAt);
  return { ownSize: own, vouchedSize: vouched === null ? null : { size: vouched, by: asked.by.login, at } };
}

function sizeLabels({ labels, events }: IssueSnapshot): readonly SizeLabel[] {
  return labels.flatMap((label) => {
    const size = sizeIn([label]);
    const set = events.findLast((event) => event.kind === 'labeled' && event.label === label) ?? null;
    return size === null ? [] : [{ size, set }];
  });
}

/** The newest label set by a permitted person. */
async function ownSize(
  engine: Pick<Observer, 'github'>,
  { ref }: IssueSnapshot,
  labels: readonly SizeLabel[],
  { by }: RunRequester,
): Promise<GivenSize | null> {
  const newestFirst = labels.toSorted((a, b) => (b.set?.at ?? 0) - (a.set?.at ?? 0));
  for (const { size, set } of newestFirst) {
    const actor: Actor | null = set?.actor ?? null;
    if (set === null || actor === null) continue;
    // The requester's permission was checked a moment ago.
    const isAsker = actor.id === by.id && actor.kind === 'human';
    if (isAsker || (await accessLevelOf(engine, ref, actor)) === 'write') return { size, by: actor.login, at: set.at };
  }
  return null;
}

/** Labels set by bots do not count. A label without an event is older than the timeline shows, so it was there before the request. */
function couldBeVouched(set: IssueEvent | null, own: GivenSize | null, at: Instant): boolean {
  if (set === null) return own === null;
  return set.actor?.kind === 'human' && set.at <= at && isAfter(set.at, own);
}

function boardSize({ projectSize, projectSizeAt }: IssueSnapshot, own: GivenSize | null, at: Instant): Size | null {
  if (projectSizeAt === null) return own === null ? projectSize : null;
  return projectSizeAt <= at && isAfter(projectSizeAt, own) ? projectSize : null;
}

/** Labels older than a permitted person's do not count: that person saw them and chose another. */
const isAfter = (at: Instant, own: GivenSize | null): boolean => own === null || at > own.at;

const strongest = (sizes: readonly Size[]): Size | null =>
  sizes.reduce<Size | null>((most, size) => (most === null || isStronger(size, most) ? size : most), null);

type SizeLabelAction = Extract<ManualAction, { kind: 'size' }>;

/** What size labels set during a run ask for, split by the permission of who set them. */
export interface SizeLabelRequests {
  /** The last one by a permitted person. */
  readonly wanted: GivenSize | null;
  readonly refused: readonly SizeLabelAction[];
}

export async function sortSizeLabels(
  engine: Pick<Observer, 'github'>,
  snapshot: IssueSnapshot,
  manualActions: readonly ManualAction[],
): Promise<SizeLabelRequests> {
  let wanted: GivenSize | null = null;
  const refused: SizeLabelAction[] = [];
  for (const manualAction of manualActions) {
    if (manualAction.kind !== 'size') continue;
    const { size, actor, event } = manualAction;
    if ((await accessLevelOf(engine, snapshot.ref, actor)) === 'write')
      wanted = { size, by: actor.login, at: event.at };
    else refused.push(manualAction);
  }
  return { wanted, refused };
}
