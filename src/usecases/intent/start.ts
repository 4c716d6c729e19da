import { isRunning, stateOf, withState } from '../../domain/state/evidence.js';
import { NO_COUNTERS } from '../../domain/state/counters.js';
import { resumeProgress } from '../../domain/intent/resume.js';
import { findManualActions } from '../../domain/intent/manual-actions.js';
import type { IssueRef } from '../../domain/issue/ids.js';
import { continuedOptions, NO_OPTIONS, type RunOptions } from '../../domain/issue/options.js';
import type { Phase } from '../../domain/issue/phase.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { IssueState, RunRecord } from '../../domain/state/state.js';
import type { Instant } from '../../domain/issue/instant.js';
import { withoutLease } from '../../domain/state/state-changes.js';
import type { Observer } from '../engine.js';
import { authorisedText, isTextChanged, type UnvouchedText, unvouchedText } from '../issue/issue-text.js';
import { hintsFor, observe } from '../issue/observe.js';
import { accessLevelOf } from '../issue/access-level.js';
import { readSizes } from './read-sizes.js';
import { type StateUpdate, updateState } from '../issue/update-state.js';
import { withTriageFromBoxes } from '../../domain/state/triage-from-boxes.js';

export interface StartRequest {
  readonly ref: IssueRef;
  /** When it was asked for, by GitHub's clock. */
  readonly at: Instant;
  /** A person whose permission has been checked. */
  readonly by: { readonly id: number; readonly login: string };
  /** When absent, the options of the continued run stay. */
  readonly options?: RunOptions | undefined;
  /** Adds options to those of the continued run, instead of replacing them. */
  readonly addsOptions?: boolean | undefined;
  /** Takes a place in the queue of new issues and returns its start time. Called only if a run begins. */
  readonly startsAt?: (() => Promise<Instant | null>) | undefined;
  /** Its place in a batch. */
  readonly batch?: RunRecord['batch'] | undefined;
  /** Extra instructions for the agent. */
  readonly guidance?: string | undefined;
  /** The command was `/auto continue`. Where a run stopped for a person's judgement, this gives it. */
  readonly isContinue?: boolean | undefined;
  /** Continue at this phase. */
  readonly retry?: Phase | undefined;
  /** The issue as it was read a moment ago; saves a request. */
  readonly seen?: IssueSnapshot | null | undefined;
  /** The label that asked for the run: it vouches for the phases before its own. */
  readonly waiver?: RunRecord['waiver'] | undefined;
  /** Hash of a text that the person vouches for although somebody without permission changed it. */
  readonly approvedText?: string | undefined;
}

export type StartResult =
  /** The start is now written to GitHub and cannot be lost. */
  | { readonly kind: 'started'; readonly snapshot: IssueSnapshot }
  | { readonly kind: 'already-running'; readonly snapshot: IssueSnapshot }
  /** After the request, somebody without permission changed the text, so nobody has vouched for it. */
  | { readonly kind: 'text-changed' }
  /** The state is not trusted, but until then somebody may still work under the last trusted one. */
  | { readonly kind: 'still-leased'; readonly until: Instant }
  /** While the run was stopped, somebody without permission changed the text. Only the new text's hash vouches for it. */
  | ({ readonly kind: 'text-unvouched' } & UnvouchedText)
  | { readonly kind: 'gone' }
  | { readonly kind: 'closed' };

/** Begins a run. The state ref records who asked, for what, and which text they vouched for. */
export async function start(engine: Observer, request: StartRequest): Promise<StartResult> {
  const { ref, seen } = request;
  const updated = await updateState(engine, ref, (snapshot) => withNewRun(engine, snapshot, request), seen);
  switch (updated.kind) {
    case 'gone':
      return updated;
    case 'unchanged':
      return updated.reason;
    case 'changed': {
      const { before, snapshot } = updated;
      return { kind: 'started', snapshot: await withRequestedBase(engine, stateOf(before), snapshot) };
    }
  }
}

async function withNewRun(
  engine: Observer,
  snapshot: IssueSnapshot,
  request: StartRequest,
): Promise<StateUpdate<StartResult>> {
  const state = stateOf(snapshot);
  const { run } = state;
  // A request older than this run was handled already: a redelivered webhook starts nothing and is not refused.
  if (run !== null && request.at <= run.startedAt) return { unchanged: { kind: 'already-running', snapshot } };
  if (snapshot.state === 'closed') return { unchanged: { kind: 'closed' } };
  if (isRunning(snapshot)) return { unchanged: { kind: 'already-running', snapshot } };
  const leasedUntil = leaseToWaitFor(snapshot);
  if (leasedUntil !== null) return { unchanged: { kind: 'still-leased', until: leasedUntil } };
  const unvouched = run === null ? null : await unvouchedText(engine, snapshot, run.authorised);
  if (unvouched !== null && unvouched.hash !== request.approvedText)
    return { unchanged: { kind: 'text-unvouched', ...unvouched } };
  if (unvouched === null && (await isTextChanged(engine, snapshot, request.at)))
    return { unchanged: { kind: 'text-changed' } };
  const next = await beginRun(state, snapshot, request, engine);
  return { change: { next, phase: 'issue', because: `${request.by.login} asked for it` } };
}

/** A state that somebody's push replaced is started over only when nobody can still be working under it. */
function leaseToWaitFor({ reading, readAt }: IssueSnapshot): Instant | null {
  const until = reading.kind === 'unverifiable' ? (reading.known?.leasedUntil ?? 0) : 0;
  return until > readAt ? until : null;
}

/** The issue as it would look after the start; nothing is written. `null` when there is no such issue. */
export async function previewStart(engine: Observer, request: StartRequest): Promise<IssueSnapshot | null> {
  const snapshot = await observe(engine, request.ref);
  if (snapshot === null) return null;
  const state = await beginRun(stateOf(snapshot), snapshot, { ...request, startsAt: undefined }, engine);
  return withState(snapshot, state);
}

/** Reads again when the request names another base: the snapshot is about the old one. */
async function withRequestedBase(engine: Observer, before: IssueState, after: IssueSnapshot): Promise<IssueSnapshot> {
  if (before.run?.options.base === stateOf(after).run?.options.base) return after;
  const read = await engine.github.snapshot(after.ref, hintsFor(engine, after.ref));
  return read === null ? after : { ...after, base: read.base };
}

async function beginRun(
  state: IssueState,
  snapshot: IssueSnapshot,
  request: StartRequest,
  engine: Observer,
): Promise<IssueState> {
  const { by, guidance = null } = request;
  // The label counts even when the command is handled before it.
  const waiver = request.waiver ?? (state.run === null ? await findWaiver(engine, snapshot) : null);
  const authorised = authorisedText(snapshot);
  const run: RunRecord = {
    id: engine.newId(),
    startedAt: snapshot.readAt,
    askedAt: Math.min(request.at, snapshot.readAt),
    by,
    options: optionsOf(state, request),
    authorised,
    // A continued run has waited for its turn before.
    startsAt: state.run === null ? ((await request.startsAt?.()) ?? 0) : 0,
    batch: request.batch ?? null,
    guidance,
    waiver,
    authorTrusted: await isTrusted(engine, snapshot, state.run, by.id),
    approvedCriteria: state.run?.approvedCriteria ?? null,
    ...(await readSizes(engine, snapshot, state, request)),
  };
  const last = snapshot.events.at(-1);
  const next: IssueState = {
    ...withoutLease(state),
    epoch: state.epoch + 1,
    run,
    halt: null,
    pendingRequest: null,
    refusal: null,
    silence: null,
    // The start settles every manual action before it.
    timelineCursor: last === undefined ? null : { id: last.id, at: last.at },
    ignoredEdit: null,
    progressFingerprint: '',
    counters: NO_COUNTERS,
    // Progress from an unverifiable state does not count.
    progress: resumeProgress(withState(snapshot, state), {
      by: by.login,
      at: snapshot.readAt,
      hash: authorised.hash,
      retry: request.retry ?? null,
      isContinue: request.isContinue ?? false,
      text: guidance,
    }),
  };
  return withTriageFromBoxes(next);
}

/** The waiver of a permitted person's phase label on the issue. */
async function findWaiver(engine: Observer, snapshot: IssueSnapshot): Promise<RunRecord['waiver']> {
  for (const manualAction of findManualActions(snapshot).toReversed()) {
    if (manualAction.kind !== 'phase' || (await accessLevelOf(engine, snapshot.ref, manualAction.actor)) !== 'write')
      continue;
    const { phase, actor, event } = manualAction;
    return phase === 'done' ? null : { phase, by: actor.login, eventId: event.id };
  }
  return null;
}

function optionsOf(
  { run, halt, progress }: IssueState,
  { options, addsOptions = options === undefined }: StartRequest,
) {
  if (run === null || progress.done !== null || !addsOptions) return options ?? NO_OPTIONS;
  return continuedOptions(run.options, options ?? NO_OPTIONS, halt?.code ?? null);
}

/** Whether everybody who wrote the text could run its commands anyway. GitHub names only the last editor. */
async function isTrusted(
  engine: Observer,
  snapshot: IssueSnapshot,
  before: RunRecord | null,
  starter: number,
): Promise<boolean> {
  const { ref, author, editor } = snapshot;
  const isWriter = async (account: IssueSnapshot['author']): Promise<boolean> =>
    account !== null && (account.id === starter || (await accessLevelOf(engine, ref, account)) === 'write');
  if (!(await isWriter(author))) return false;
  // When we tick boxes we become the last editor; the text itself was judged before.
  const isKnown = before?.authorTrusted === true && before.authorised.hash === authorisedText(snapshot).hash;
  return isKnown || editor === null || editor.id === author?.id || isWriter(editor);
}
