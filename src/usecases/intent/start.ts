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
  /** Absent: those of the run that goes on. */
  readonly options?: RunOptions | undefined;
  /** Options are on top of those of the run that goes on, instead of in their place. */
  readonly addsOptions?: boolean | undefined;
  /** Takes a place in the line of new issues: nothing starts before its turn. Asked only if a run begins. */
  readonly startsAt?: (() => Promise<Instant | null>) | undefined;
  /** Its place in a batch. */
  readonly batch?: RunRecord['batch'] | undefined;
  /** What the agent should know besides the issue. */
  readonly guidance?: string | undefined;
  /** It was `/auto continue`, which gives a person's judgement where that is what a run stopped for. */
  readonly isContinue?: boolean | undefined;
  /** Take work up again at this phase. */
  readonly retry?: Phase | undefined;
  /** The issue as somebody has just seen it; saves a look. */
  readonly seen?: IssueSnapshot | null | undefined;
  /** The label that asked for it: vouches for what comes before its phase. */
  readonly waiver?: RunRecord['waiver'] | undefined;
  /** Hash of a text that they vouch for although somebody without permission changed it. */
  readonly approvedText?: string | undefined;
}

export type StartResult =
  /** Durable on GitHub from here on. */
  | { readonly kind: 'started'; readonly snapshot: IssueSnapshot }
  | { readonly kind: 'already-running'; readonly snapshot: IssueSnapshot }
  /** Since it was asked for, somebody who may not ask changed the text: nobody has vouched for what it says now. */
  | { readonly kind: 'text-changed' }
  /** The state cannot be trusted, and until then somebody may be at work under the last one that could. */
  | { readonly kind: 'still-leased'; readonly until: Instant }
  /** While the run rested, somebody who may not ask changed the text: only the hash of the new text vouches for it. */
  | ({ readonly kind: 'text-unvouched' } & UnvouchedText)
  | { readonly kind: 'gone' }
  | { readonly kind: 'closed' };

/** Begins a run: the state ref says who asked, for what, and which text they vouched for. */
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
  // What was asked before this run began has been heard: a webhook delivered again starts nothing, and is refused nothing.
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

/** A state that was put aside by somebody's push is replaced only when nobody can be at work under it any more. */
function leaseToWaitFor({ reading, readAt }: IssueSnapshot): Instant | null {
  const until = reading.kind === 'unverifiable' ? (reading.known?.leasedUntil ?? 0) : 0;
  return until > readAt ? until : null;
}

/** What an issue would look like had the run begun; nothing is written. `null` when there is no such issue. */
export async function previewStart(engine: Observer, request: StartRequest): Promise<IssueSnapshot | null> {
  const snapshot = await observe(engine, request.ref);
  if (snapshot === null) return null;
  const state = await beginRun(stateOf(snapshot), snapshot, { ...request, startsAt: undefined }, engine);
  return withState(snapshot, state);
}

/** Another base than the run before asked for: what was read is about the wrong branch. */
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
  // Whichever of a label and a command is heard first, the label counts.
  const waiver = request.waiver ?? (state.run === null ? await findWaiver(engine, snapshot) : null);
  const authorised = authorisedText(snapshot);
  const run: RunRecord = {
    id: engine.newId(),
    startedAt: snapshot.readAt,
    askedAt: Math.min(request.at, snapshot.readAt),
    by,
    options: optionsOf(state, request),
    authorised,
    // Whoever goes on with a run has been in line before.
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
    // Whatever people did to the issue before this is settled by it.
    timelineCursor: last === undefined ? null : { id: last.id, at: last.at },
    ignoredEdit: null,
    progressFingerprint: '',
    counters: NO_COUNTERS,
    // A state nobody could verify counts for nothing.
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

/** What somebody permitted vouched for with the label that is on the issue. */
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

/** Whether everybody who wrote the text could have had its commands run anyway. Of editors GitHub names the last one. */
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
  // Ticking boxes makes us the last editor of a text that has been judged.
  const isKnown = before?.authorTrusted === true && before.authorised.hash === authorisedText(snapshot).hash;
  return isKnown || editor === null || editor.id === author?.id || isWriter(editor);
}
