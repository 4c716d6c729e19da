/** The status of a run. Some places can only know a part of these values. */
const RUN_STATUSES = [
  /** Nobody has asked yet. */
  'not-driven',
  'running',
  /** Waits for something outside (checks, quota, a free slot) and then continues by itself. */
  'waiting',
  /** A person asked it to stop, and the running phase is ending. */
  'stopping',
  /** A person, or a limit, stopped it. */
  'paused',
  /** Only a person can decide what comes next. */
  'needs-human',
  /** It gave up. */
  'failed',
  /** Everything that can be checked automatically holds; a person has to check the rest. */
  'partly-done',
  'done',
  /** Its state ref was not written by us. */
  'untrusted',
] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

/** All statuses except these, in the same order. */
export function statusesExcept<Left extends RunStatus>(...left: readonly Left[]): readonly Exclude<RunStatus, Left>[] {
  const others: readonly RunStatus[] = left;
  return RUN_STATUSES.filter((status): status is Exclude<RunStatus, Left> => !others.includes(status));
}
