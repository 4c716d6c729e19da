import type { HeldWork } from './kept-work.js';
import type { IssueState } from './state.js';

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
