import type { HeldWork } from './kept-work.js';
import type { IssueState } from './state.js';

/** Held work, if somebody approved it. Unapproved work is dropped once other work is accepted. */
export const approvedOnly = (held: HeldWork | null): HeldWork | null => (held?.approvedBy == null ? null : held);

/** Held work that waits for approval, but nobody was asked, because its run could not do so. */
export function unaskedWork({ halt, progress }: IssueState): HeldWork | null {
  const { held, ready } = progress;
  return held === null || held.approvedBy !== null || ready !== null || halt !== null ? null : held;
}

/** The state with this work in it; `null` if other work waits or was accepted. */
export function withUnaskedWork(state: IssueState, held: HeldWork): IssueState | null {
  const { run, progress } = state;
  const { held: other, ready, pushed, landed, done } = progress;
  const isOver = other !== null || ready !== null || pushed !== null || landed !== null || done !== null;
  return run === null || isOver ? null : { ...state, progress: { ...progress, held } };
}
