/** Where a run stands, in one word. Not every place that tells it can know all of them. */
const RUN_STATUSES = [
  /** Nobody has asked yet. */
  'not-driven',
  'running',
  /** Something outside keeps it from going on, and it will by itself: checks, quota, a free slot. */
  'waiting',
  /** A person asked it to stop, and the running phase is ending. */
  'stopping',
  /** A person, or a limit, stopped it. */
  'paused',
  /** Only a person can decide what comes next. */
  'needs-human',
  /** It gave up. */
  'failed',
  /** Everything that can be checked by itself holds; a person has to look at the rest. */
  'partly-done',
  'done',
  /** Its state ref was not written by us. */
  'untrusted',
] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

/** All but those, in the same order. */
export function statusesExcept<Left extends RunStatus>(...left: readonly Left[]): readonly Exclude<RunStatus, Left>[] {
  const others: readonly RunStatus[] = left;
  return RUN_STATUSES.filter((status): status is Exclude<RunStatus, Left> => !others.includes(status));
}
