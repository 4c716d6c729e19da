import { SHORTEST_HASH } from '../issue/hash-digits.js';
import type { Oid } from '../issue/ids.js';
import type { IssueState } from '../state/state.js';

/** The result of an approval of held work. */
export type WorkApproval =
  | { readonly kind: 'approved'; readonly state: IssueState }
  /** The same command, delivered again. */
  | { readonly kind: 'known' }
  | { readonly kind: 'other-commit'; readonly commit: Oid }
  /** No work waits for approval. */
  | { readonly kind: 'none' };

/**
 * A permitted person approves one commit of held work, which is then ready and needs no agent. The hash proves that they mean exactly
 * this commit.
 */
export function approveWork(state: IssueState, by: string, hash: string | null): WorkApproval {
  const { held } = state.progress;
  if (held === null || state.run === null) return { kind: 'none' };
  const { commit, title, summary } = held;
  const isNamed = hash !== null && hash.length >= SHORTEST_HASH && commit.startsWith(hash.toLowerCase());
  if (held.approvedBy !== null) return { kind: isNamed ? 'known' : 'none' };
  if (state.halt?.code !== 'off-limits') return { kind: 'none' };
  if (!isNamed) return { kind: 'other-commit', commit };
  const progress = {
    ...state.progress,
    ready: { commit, title, summary },
    held: { ...held, approvedBy: by },
    fix: null,
    wip: null,
    startsOver: false,
  };
  return { kind: 'approved', state: { ...state, halt: null, progress } };
}
