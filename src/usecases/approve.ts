import { placeOf, stateOf } from '../domain/completion.js';
import { approveWork } from '../domain/held-work.js';
import type { IssueRef, Oid } from '../domain/ids.js';
import type { IssueState } from '../domain/state.js';
import type { Engine } from './engine.js';
import { observe } from './observe.js';
import { swapState } from './swap.js';

export type Approval =
  | { readonly kind: 'approved' }
  /** The hash is not that of the criteria as they are now. */
  | { readonly kind: 'other-hash' }
  /** A commit waits, and it was not named. */
  | { readonly kind: 'other-commit'; readonly commit: Oid }
  | { readonly kind: 'nothing-to-approve' }
  | { readonly kind: 'gone' };

export interface ApprovalRequest {
  readonly ref: IssueRef;
  readonly by: string;
  /** The beginning of the hash, or all of it; `null` approves what waits. */
  readonly hash: string | null;
}

/** As many digits as the command parser takes for a hash. */
const SHORTEST_HASH = 7;
const MAX_TRIES = 5;

/** A permitted person has read what waits, the commands of exactly these criteria or exactly this commit, and allows it. */
export async function approve(engine: Engine, { ref, by, hash }: ApprovalRequest): Promise<Approval> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const snapshot = await observe(engine, ref);
    if (snapshot === null) return { kind: 'gone' };
    const approved = approvedState(stateOf(snapshot), { by, hash });
    if (approved.kind !== 'changed') return approved;
    const { next, because } = approved;
    const swapped = await swapState(engine, snapshot, { next, phase: placeOf(snapshot), because });
    if (swapped.kind !== 'swapped') continue;
    await engine.queue.wake(ref);
    return { kind: 'approved' };
  }
  throw new Error(`the state of ${ref.owner}/${ref.repo}#${ref.number} keeps changing`);
}

type Approved = Approval | { readonly kind: 'changed'; readonly next: IssueState; readonly because: string };

function approvedState(state: IssueState, { by, hash }: Pick<ApprovalRequest, 'by' | 'hash'>): Approved {
  const criteria = approvedCriteria(state, { by, hash });
  if (criteria.kind === 'changed' && hash !== null) return criteria;
  const work = approveWork(state, by, hash);
  switch (work.kind) {
    case 'none':
      return criteria;
    case 'known':
      return { kind: 'approved' };
    case 'other-commit':
      return work;
    case 'approved': {
      const { commit = '', paths = [] } = work.state.progress.held ?? {};
      const because = `${by} approved commit ${commit.slice(0, 12)} with its changes to ${paths.join(', ')}`;
      return { kind: 'changed', next: work.state, because };
    }
  }
}

function approvedCriteria(state: IssueState, { by, hash }: Pick<ApprovalRequest, 'by' | 'hash'>): Approved {
  const criteriaHash = state.progress.triage?.criteriaHash;
  if (state.run === null || criteriaHash === undefined) return { kind: 'nothing-to-approve' };
  const against = hash === null ? whyNothingWaits(state, criteriaHash) : otherHash(hash, criteriaHash);
  if (against !== null) return against;
  const halt = state.halt?.code === 'commands-unapproved' ? null : state.halt;
  const next = { ...state, halt, run: { ...state.run, approvedCriteria: criteriaHash } };
  return { kind: 'changed', next, because: `${by} approved the commands of the criteria` };
}

const otherHash = (hash: string, criteriaHash: string): Approval | null =>
  hash.length >= SHORTEST_HASH && criteriaHash.startsWith(hash.toLowerCase()) ? null : { kind: 'other-hash' };

function whyNothingWaits({ halt, run }: IssueState, criteriaHash: string): Approval | null {
  // The same command, delivered again.
  if (run?.approvedCriteria === criteriaHash) return { kind: 'approved' };
  return halt?.code === 'commands-unapproved' ? null : { kind: 'nothing-to-approve' };
}
