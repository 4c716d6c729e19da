import { SHORTEST_HASH } from '../issue/hash-digits.js';
import type { Oid } from '../issue/ids.js';
import type { IssueState } from '../state/state.js';
import type { HeldWork } from '../state/kept-work.js';

/** What an approval comes to where work is held because of the files it changes. */
export type WorkApproval =
  | { readonly kind: 'approved'; readonly state: IssueState }
  /** The same command, delivered again. */
  | { readonly kind: 'known' }
  | { readonly kind: 'other-commit'; readonly commit: Oid }
  /** No work waits for it. */
  | { readonly kind: 'none' };

/** Held work, if somebody has approved it. Other work that got through settles the rest. */
export const approvedOnly = (held: HeldWork | null): HeldWork | null => (held?.approvedBy == null ? null : held);

/** Held work that waits and about which no person has been asked: the run that made it could not say so. */
export function unaskedWork({ halt, progress }: IssueState): HeldWork | null {
  const { held, ready } = progress;
  return held === null || held.approvedBy !== null || ready !== null || halt !== null ? null : held;
}

/** The state with such work in it; `null` where it has no place, because other work waits or got through. */
export function withUnaskedWork(state: IssueState, held: HeldWork): IssueState | null {
  const { run, progress } = state;
  const { held: other, ready, pushed, landed, done } = progress;
  const isOver = other !== null || ready !== null || pushed !== null || landed !== null || done !== null;
  return run === null || isOver ? null : { ...state, progress: { ...progress, held } };
}

/**
 * A permitted person has looked at one commit and lets it go on: it is then ready, and needs no agent. Only its hash says that it is
 * this one they looked at.
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
