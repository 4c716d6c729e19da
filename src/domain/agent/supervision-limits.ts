/** When a step counts as failed. One object, so that tests can make every limit small. */
export interface WatchLimits {
  /** From the start to the first event. */
  readonly firstEventMs: number;
  /** How long the stream may be silent while the model works. */
  readonly idleMs: number;
  /** How long it may be silent while a tool runs, since commands may take long. */
  readonly toolIdleMs: number;
  /** How long a step may run without progress, even when it is active. */
  readonly progressMs: number;
  /** Added to `progressMs` while the step is active. */
  readonly graceMs: number;
  /** Identical messages that make a loop, among the last `loopWindow`. */
  readonly loopRepeats: number;
  readonly loopWindow: number;
  /** Compactions after which the work counts as too large for the window. */
  readonly maxCompactions: number;
  /** From the result to the end of the process. */
  readonly lingerMs: number;
  /** The share of the model's window at which a step hands over. */
  readonly windowShare: number;
  /** The share of one processor from which a process counts as busy. A process that only waits stays below it. */
  readonly busyShare: number;
  /** How often the processes and the checkout are checked. */
  readonly tickMs: number;
}

export const WATCH_LIMITS: WatchLimits = {
  firstEventMs: 60_000,
  idleMs: 240_000,
  toolIdleMs: 600_000,
  progressMs: 600_000,
  graceMs: 180_000,
  loopRepeats: 3,
  loopWindow: 5,
  maxCompactions: 3,
  lingerMs: 10_000,
  windowShare: 0.82,
  busyShare: 0.1,
  tickMs: 5_000,
};
