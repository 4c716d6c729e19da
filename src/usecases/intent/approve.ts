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
  /** The text of a stopped run was approved, and the run can continue with it. `hash` is the full hash. */
  | { readonly kind: 'text-at-rest'; readonly hash: string }
  /** The current text must be approved by its own hash. */
  | ({ readonly kind: 'text-unvouched' } & UnvouchedText)
  /** The work has landed already; it is judged by the text it was made for. */
  | { readonly kind: 'text-too-late'; readonly hash: string }
  /** The hash matches neither the current criteria nor the current text. */
  | { readonly kind: 'other-hash' }
  /** A commit waits for approval, and another one was named. */
  | { readonly kind: 'other-commit'; readonly commit: Oid }
  | { readonly kind: 'nothing-to-approve' }
  | { readonly kind: 'gone' };

export interface ApprovalRequest {
  readonly ref: IssueRef;
  readonly by: string;
  /** When it was said, by GitHub's clock. */
  readonly at: Instant;
  /** A prefix of the hash, or all of it; `null` approves whatever waits. */
  readonly hash: string | null;
}

/**
 * Records that a permitted person has read and allows exactly this: the commands of the criteria, a text that somebody else changed, or a
 * commit that waits.
 */
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

/** A hash names a text, criteria or a commit. Without one, whatever waits is approved. */
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

/** Returns `null` when no commit waits. */
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

/** Returns `null` when the hash is not the text's. */
function approveText(
  snapshot: IssueSnapshot,
  run: RunRecord,
  by: string,
  hash: string | null,
): Approval | Change | null {
  const text = authorisedText(snapshot);
  if (hash === null || hash.length < TEXT_HASH_DIGITS || !isHashOf(hash, text.hash)) return null;
  // A redelivered command, or a text that nobody has changed.
  if (text.hash === run.authorised.hash) return { kind: 'approved' };
  const state = stateOf(snapshot);
  if (!isRunning(snapshot)) return { kind: 'text-at-rest', hash: text.hash };
  if (landedCommit(snapshot) !== null) return { kind: 'text-too-late', hash: text.hash };
  // Approving the text does not approve commands hidden in it.
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
    // They may mean the text, which needs its hash, or a hash from before the last edit.
    const unvouched = against.kind === 'approved' ? null : await unvouchedText(engine, snapshot, run.authorised);
    return unvouched === null ? against : { kind: 'text-unvouched', ...unvouched };
  }
  const halt = state.halt?.code === 'commands-unapproved' ? null : state.halt;
  const next = { ...state, halt, run: { ...run, approvedCriteria: criteriaHash } };
  return { next, because: `${by} approved the commands of the criteria` };
}

/** GitHub's times have no milliseconds. */
const wholeSecond = (at: Instant): Instant => Math.floor(at / 1_000) * 1_000;

const isHashOf = (hash: string, whole: string): boolean =>
  hash.length >= SHORTEST_HASH && whole.startsWith(hash.toLowerCase());

/** Why this does not approve the commands of the criteria; `null` when it does. */
function findCommandsRefusal(
  { halt, run, transitions }: IssueState,
  criteriaHash: string | null,
  { at, hash }: Pick<ApprovalDetails, 'at' | 'hash'>,
): Approval | null {
  if (criteriaHash === null) return { kind: 'nothing-to-approve' };
  if (hash !== null) return isHashOf(hash, criteriaHash) ? null : { kind: 'other-hash' };
  // The same command, delivered again.
  if (run?.approvedCriteria === criteriaHash) return { kind: 'approved' };
  // An approval older than this stop was about something else.
  const stoppedAt = transitions.findLast(({ because }) => because === halt?.because)?.at ?? 0;
  const isAboutThis = halt?.code === 'commands-unapproved' && at >= wholeSecond(stoppedAt);
  return isAboutThis ? null : { kind: 'nothing-to-approve' };
}
