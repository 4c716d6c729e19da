import { isRunning, landedCommit, currentPhase, stateOf } from '../../domain/state/evidence.js';
import { approveWork } from '../../domain/intent/work-approval.js';
import { SHORTEST_HASH, TEXT_HASH_DIGITS } from '../../domain/issue/hash-digits.js';
import type { IssueRef, Oid } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { IssueState, RunRecord } from '../../domain/state/state.js';
import type { Instant } from '../../domain/issue/instant.js';
import type { Engine } from '../engine.js';
import { withRetriage } from './apply-text-edit.js';
import { authorisedText, type UnvouchedText, unvouchedText } from '../issue/issue-text.js';
import type { StateChange } from '../issue/swap-state.js';
import { type StateUpdate, updateState } from '../issue/update-state.js';

export type Approval =
  | { readonly kind: 'approved' }
  /** The text of a run that rests was approved: it can go on with it. All of its hash. */
  | { readonly kind: 'text-at-rest'; readonly hash: string }
  /** The text as it is now needs its own hash. */
  | ({ readonly kind: 'text-unvouched' } & UnvouchedText)
  /** The work has landed, and is judged by the text it was made for. */
  | { readonly kind: 'text-too-late'; readonly hash: string }
  /** The hash is neither that of the criteria nor that of the text as they are now. */
  | { readonly kind: 'other-hash' }
  /** A commit waits, and it was not named. */
  | { readonly kind: 'other-commit'; readonly commit: Oid }
  | { readonly kind: 'nothing-to-approve' }
  | { readonly kind: 'gone' };

export interface ApprovalRequest {
  readonly ref: IssueRef;
  readonly by: string;
  /** When they said it, by GitHub's clock. */
  readonly at: Instant;
  /** The beginning of the hash, or all of it; `null` approves what waits. */
  readonly hash: string | null;
}

/** A permitted person has read exactly this, and allows it: the commands of the criteria, a text somebody else changed, or a commit that waits. */
export async function approve(engine: Engine, { ref, ...said }: ApprovalRequest): Promise<Approval> {
  const updated = await updateState(engine, ref, async (snapshot): Promise<StateUpdate<Approval>> => {
    const { run } = stateOf(snapshot);
    if (run === null) return { unchanged: { kind: 'nothing-to-approve' } };
    const answer = await applyApproval(engine, snapshot, run, said);
    return 'kind' in answer ? { unchanged: answer } : { change: { ...answer, phase: currentPhase(snapshot) } };
  });
  if (updated.kind === 'gone') return updated;
  if (updated.kind === 'unchanged') return updated.reason;
  await engine.queue.wake(ref);
  return { kind: 'approved' };
}

type ApprovalDetails = Omit<ApprovalRequest, 'ref'>;
type Change = Pick<StateChange, 'next' | 'because'>;

/** A hash names a text, criteria or a commit; without one, what waits is meant. */
async function applyApproval(
  engine: Engine,
  snapshot: IssueSnapshot,
  run: RunRecord,
  { by, at, hash }: ApprovalDetails,
): Promise<Approval | Change> {
  const text = approveText(snapshot, run, by, hash);
  if (text !== null) return text;
  const commands = await approveCommands(engine, snapshot, run, { by, at, hash });
  if (!('kind' in commands)) return commands;
  return approveHeldWork(stateOf(snapshot), by, hash) ?? commands;
}

/** `null`: no commit waits. */
function approveHeldWork(state: IssueState, by: string, hash: string | null): Approval | Change | null {
  const work = approveWork(state, by, hash);
  switch (work.kind) {
    case 'none':
      return null;
    case 'known':
      return { kind: 'approved' };
    case 'other-commit':
      return work;
    case 'approved': {
      const { commit = '', paths = [] } = work.state.progress.held ?? {};
      const because = `${by} approved commit ${commit.slice(0, 12)} with its changes to ${paths.join(', ')}`;
      return { next: work.state, because };
    }
  }
}

/** `null`: the hash is not that of the text. */
function approveText(
  snapshot: IssueSnapshot,
  run: RunRecord,
  by: string,
  hash: string | null,
): Approval | Change | null {
  const text = authorisedText(snapshot);
  if (hash === null || hash.length < TEXT_HASH_DIGITS || !isHashOf(hash, text.hash)) return null;
  // The same command, delivered again; or nobody has changed anything.
  if (text.hash === run.authorised.hash) return { kind: 'approved' };
  const state = stateOf(snapshot);
  if (!isRunning(snapshot)) return { kind: 'text-at-rest', hash: text.hash };
  if (landedCommit(snapshot) !== null) return { kind: 'text-too-late', hash: text.hash };
  // Vouching for the words does not allow the commands that may be hidden in them.
  const next = withRetriage(state, { ...run, authorTrusted: false }, text);
  return { next, because: `${by} approved the text as it is now, so the issue is triaged again` };
}

async function approveCommands(
  engine: Engine,
  snapshot: IssueSnapshot,
  run: RunRecord,
  { by, at, hash }: ApprovalDetails,
): Promise<Approval | Change> {
  const state = stateOf(snapshot);
  const criteriaHash = state.progress.triage?.criteriaHash ?? null;
  const against = findCommandsRefusal(state, criteriaHash, { at, hash });
  if (against !== null) {
    // Perhaps they mean the text, which needs a hash, or had another one before it was changed again.
    const unvouched = against.kind === 'approved' ? null : await unvouchedText(engine, snapshot, run.authorised);
    return unvouched === null ? against : { kind: 'text-unvouched', ...unvouched };
  }
  const halt = state.halt?.code === 'commands-unapproved' ? null : state.halt;
  const next = { ...state, halt, run: { ...run, approvedCriteria: criteriaHash } };
  return { next, because: `${by} approved the commands of the criteria` };
}

/** GitHub tells in seconds when something was said. */
const wholeSecond = (at: Instant): Instant => Math.floor(at / 1_000) * 1_000;

const isHashOf = (hash: string, whole: string): boolean =>
  hash.length >= SHORTEST_HASH && whole.startsWith(hash.toLowerCase());

/** Why the commands of the criteria are not approved by this; `null` when they are. */
function findCommandsRefusal(
  { halt, run, transitions }: IssueState,
  criteriaHash: string | null,
  { at, hash }: Pick<ApprovalDetails, 'at' | 'hash'>,
): Approval | null {
  if (criteriaHash === null) return { kind: 'nothing-to-approve' };
  if (hash !== null) return isHashOf(hash, criteriaHash) ? null : { kind: 'other-hash' };
  // The same command, delivered again.
  if (run?.approvedCriteria === criteriaHash) return { kind: 'approved' };
  // Said before this stop, it was about something else, however late it is heard.
  const stoppedAt = transitions.findLast(({ because }) => because === halt?.because)?.at ?? 0;
  const isAboutThis = halt?.code === 'commands-unapproved' && at >= wholeSecond(stoppedAt);
  return isAboutThis ? null : { kind: 'nothing-to-approve' };
}
