import type { Clock } from '../ports/clock.js';

/** How long to wait between two runs. A function is called before each wait. */
type Pause = number | (() => number);

/** The next wait begins when what it returns has settled. A task reports its own failures. */
type Task = () => Promise<void> | void;

/** A task that was started at once and repeats. */
export interface Repetition {
  /** Settles when the first run has ended. */
  readonly first: Promise<void>;
  /** Starts no further run. A run in progress continues. */
  readonly stop: () => void;
}

/** Runs a task repeatedly, the first time after a pause. The returned function stops it, like `Repetition.stop`. */
export function every(clock: Clock, pause: Pause, task: Task): () => void {
  const timer = createTimer(clock, pause, task);
  timer.arm();
  return timer.stop;
}

/** Runs a task now, and again after each pause. */
export function nowAndEvery(clock: Clock, pause: Pause, task: Task): Repetition {
  const { run, stop } = createTimer(clock, pause, task);
  return { first: run(), stop };
}

function createTimer(clock: Clock, pause: Pause, task: Task) {
  const timer = { cancel: (): void => undefined, isStopped: false };
  const arm = (): void => {
    if (timer.isStopped) return;
    const ms = typeof pause === 'number' ? pause : pause();
    timer.cancel = clock.at(clock.now() + ms, () => void run());
  };
  const run = (): Promise<void> => {
    const running = task();
    if (running !== undefined) return running.finally(arm);
    // At once: a clock that is moved by more than one pause finds every run that is due.
    arm();
    return Promise.resolve();
  };
  const stop = (): void => {
    timer.isStopped = true;
    timer.cancel();
  };
  return { arm, run, stop };
}
