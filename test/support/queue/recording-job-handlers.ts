import { formatIssue, type IssueRef } from '../../../src/domain/issue/ids.js';
import type { JobHandlers, PhaseJob } from '../../../src/ports/queue.js';

export interface JobHandlerBehaviour {
  /** Jobs wait until released. */
  readonly hold?: boolean;
  /** Phases ignore their abort signal. */
  readonly ignoresAbort?: boolean;
  readonly onWake?: (ref: IssueRef) => Promise<void>;
  /** Called when a phase is aborted. */
  readonly onStop?: () => Promise<void>;
}

/** Handlers that record their jobs. */
export class RecordingJobHandlers implements JobHandlers {
  readonly started: string[] = [];
  readonly ended: string[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #behaviour: JobHandlerBehaviour;
  readonly #watchers = new Set<() => void>();
  readonly #released = new Set<string>();
  #held: boolean;

  constructor(behaviour: JobHandlerBehaviour = {}) {
    this.#behaviour = behaviour;
    this.#held = behaviour.hold ?? false;
  }

  async wake(ref: IssueRef): Promise<void> {
    this.#note(this.started, `wake ${formatIssue(ref)}`);
    await this.#until(() => this.#mayEnd(`wake ${formatIssue(ref)}`));
    await this.#behaviour.onWake?.(ref);
    this.#note(this.ended, `wake ${formatIssue(ref)}`);
  }

  async phase({ ref, phase }: PhaseJob, signal: AbortSignal): Promise<void> {
    this.signals.push(signal);
    signal.addEventListener('abort', () => this.#notify(), { once: true });
    this.#note(this.started, `${phase} ${formatIssue(ref)}`);
    const stopped = (): boolean => signal.aborted && this.#behaviour.ignoresAbort !== true;
    await this.#until(() => stopped() || this.#mayEnd(`${phase} ${formatIssue(ref)}`));
    if (signal.aborted) await this.#behaviour.onStop?.();
    this.#note(this.ended, `${phase} ${formatIssue(ref)}`);
  }

  /** Releases waiting jobs, now and later: all, or one. */
  release(job?: string): void {
    if (job === undefined) this.#held = false;
    else this.#released.add(job);
    this.#notify();
  }

  async untilStarted(count: number): Promise<void> {
    await this.#until(() => this.started.length >= count);
  }

  async untilAborted(): Promise<void> {
    await this.#until(() => this.signals.some((signal) => signal.aborted));
  }

  async untilEnded(count: number): Promise<void> {
    await this.#until(() => this.ended.length >= count);
  }

  #mayEnd(job: string): boolean {
    return !this.#held || this.#released.has(job);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#watchers.add(resolve));
  }

  #note(list: string[], entry: string): void {
    list.push(entry);
    this.#notify();
  }

  #notify(): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const resolve of watchers) resolve();
  }
}
