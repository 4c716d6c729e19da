import { placeOf, stateOf } from '../domain/completion.js';
import type { IssueRef } from '../domain/ids.js';
import type { IssueState } from '../domain/state.js';
import type { Engine } from './engine.js';
import { observe } from './observe.js';
import { swapState } from './swap.js';

export type Approval =
  | 'approved'
  /** The hash is not that of the criteria as they are now. */
  | 'other-hash'
  | 'nothing-to-approve'
  | 'gone';

export interface ApprovalRequest {
  readonly ref: IssueRef;
  readonly by: string;
  /** The beginning of the hash, or all of it; `null` approves what waits. */
  readonly hash: string | null;
}

/** As many digits as the command parser takes for a hash. */
const SHORTEST_HASH = 7;
const MAX_TRIES = 5;

/** A permitted person has read the commands of exactly these criteria and allows them. */
export async function approve(engine: Engine, { ref, by, hash }: ApprovalRequest): Promise<Approval> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const snapshot = await observe(engine, ref);
    if (snapshot === null) return 'gone';
    const state = stateOf(snapshot);
    const criteriaHash = state.progress.triage?.criteriaHash;
    if (state.run === null || criteriaHash === undefined) return 'nothing-to-approve';
    const against = hash === null ? whyNothingWaits(state, criteriaHash) : otherHash(hash, criteriaHash);
    if (against !== null) return against;
    const halt = state.halt?.code === 'commands-unapproved' ? null : state.halt;
    const next = { ...state, halt, run: { ...state.run, approvedCriteria: criteriaHash } };
    const because = `${by} approved the commands of the criteria`;
    const swapped = await swapState(engine, snapshot, { next, phase: placeOf(snapshot), because });
    if (swapped.kind !== 'swapped') continue;
    await engine.queue.wake(ref);
    return 'approved';
  }
  throw new Error(`the state of ${ref.owner}/${ref.repo}#${ref.number} keeps changing`);
}

const otherHash = (hash: string, criteriaHash: string): Approval | null =>
  hash.length >= SHORTEST_HASH && criteriaHash.startsWith(hash.toLowerCase()) ? null : 'other-hash';

function whyNothingWaits({ halt, run }: IssueState, criteriaHash: string): Approval | null {
  // The same command, delivered again.
  if (run?.approvedCriteria === criteriaHash) return 'approved';
  return halt?.code === 'commands-unapproved' ? null : 'nothing-to-approve';
}
