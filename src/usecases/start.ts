import { createHash } from 'node:crypto';
import { isDone, stateOf } from '../domain/completion.js';
import type { IssueRef } from '../domain/ids.js';
import { NO_OPTIONS, type RunOptions } from '../domain/options.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import {
  EMPTY_STATE,
  type IssueState,
  NO_COUNTERS,
  NO_PROGRESS,
  type RunRecord,
  type Instant,
} from '../domain/state.js';
import type { Observer } from './engine.js';
import { hintsFor, observe } from './observe.js';
import { swapState } from './swap.js';

export interface StartRequest {
  readonly ref: IssueRef;
  /** When it was asked for, by GitHub's clock. */
  readonly at: Instant;
  /** A person whose permission has been checked. */
  readonly by: { readonly id: number; readonly login: string };
  readonly options?: RunOptions;
}

export type Started =
  /** Durable on GitHub from here on. */
  | { readonly kind: 'started'; readonly snapshot: IssueSnapshot }
  | { readonly kind: 'already-running' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'closed' };

/** Swaps keep losing only while others keep winning; this many in a row means something is wrong. */
const MAX_TRIES = 5;

/** Begins a run: the state ref says who asked, for what, and which text they vouched for. */
export async function start(engine: Observer, request: StartRequest): Promise<Started> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const snapshot = await observe(engine, request.ref);
    if (snapshot === null) return { kind: 'gone' };
    if (snapshot.state === 'closed') return { kind: 'closed' };
    const state = snapshot.reading.kind === 'unverifiable' ? EMPTY_STATE : stateOf(snapshot);
    // What was asked before this run began has been heard: a webhook delivered again starts nothing.
    if (state.run !== null && request.at <= state.run.startedAt) return { kind: 'already-running' };
    if (state.run !== null && state.halt === null && !isDone(snapshot)) return { kind: 'already-running' };
    const next = begun(state, snapshot, request, engine);
    const swapped = await swapState(engine, snapshot, {
      next,
      phase: 'issue',
      because: `${request.by.login} asked for it`,
    });
    if (swapped.kind !== 'swapped') continue;
    return { kind: 'started', snapshot: await withItsBase(engine, state, swapped.snapshot) };
  }
  throw new Error(`the state of ${request.ref.owner}/${request.ref.repo}#${request.ref.number} keeps changing`);
}

/** Another base than the run before asked for: what was read is about the wrong branch. */
async function withItsBase(engine: Observer, before: IssueState, after: IssueSnapshot): Promise<IssueSnapshot> {
  if (before.run?.options.base === stateOf(after).run?.options.base) return after;
  const read = await engine.github.snapshot(after.ref, hintsFor(engine, after.ref));
  return read === null ? after : { ...after, base: read.base };
}

function begun(state: IssueState, snapshot: IssueSnapshot, request: StartRequest, engine: Observer): IssueState {
  const { title, body } = snapshot;
  const authorised = { title, body, hash: createHash('sha256').update(`${title}\0${body}`).digest('hex') };
  const run: RunRecord = {
    id: engine.newId(),
    startedAt: snapshot.readAt,
    by: request.by,
    options: request.options ?? NO_OPTIONS,
    authorised,
  };
  // A new text needs a new triage; the same text goes on from where it stopped.
  const sameText = state.run?.authorised.hash === authorised.hash;
  const progress =
    sameText && state.progress.done === null
      ? state.progress
      : { ...NO_PROGRESS, supersededPr: snapshot.pull?.number ?? state.progress.supersededPr };
  return { ...state, epoch: state.epoch + 1, lease: null, run, halt: null, counters: NO_COUNTERS, progress };
}
