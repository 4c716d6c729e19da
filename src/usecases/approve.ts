import { placeOf, stateOf } from '../domain/completion.js';
import type { IssueRef } from '../domain/ids.js';
import type { Engine } from './engine.js';
import { observe } from './observe.js';
import { swapState } from './swap.js';

export type Approval = 'approved' | 'other-hash' | 'nothing-to-approve' | 'gone';

/** Shorter than this anybody could guess. */
const LEAST_HASH = 8;
const MAX_TRIES = 5;

/** A permitted person has read the commands of exactly these criteria and allows them. */
export async function approve(engine: Engine, ref: IssueRef, by: string, hash: string): Promise<Approval> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const snapshot = await observe(engine, ref);
    if (snapshot === null) return 'gone';
    const state = stateOf(snapshot);
    const criteriaHash = state.progress.triage?.criteriaHash;
    if (state.run === null || criteriaHash === undefined) return 'nothing-to-approve';
    if (hash.length < LEAST_HASH || !criteriaHash.startsWith(hash.toLowerCase())) return 'other-hash';
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
