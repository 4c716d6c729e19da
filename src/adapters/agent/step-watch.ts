import { nextCheckMs, startWatch, supervise, type Watch, type WatchEvent } from '../../domain/agent/supervision.js';
import { WATCH_LIMITS } from '../../domain/agent/supervision-limits.js';
import type { AgentJob } from '../../ports/agent.js';
import type { Clock } from '../../ports/clock.js';
import type { ProcessSample } from '../../ports/sandbox.js';
import { checkoutStamp } from './checkout-stamp.js';
import { STREAM_START, type StreamState, watchEventsOf, withStreamEvent } from './stream-state.js';
import { parseStreamLine, type StreamEvent } from './stream-event.js';

export interface StepWatchOptions {
  readonly clock: Clock;
  readonly job: Pick<AgentJob, 'clone' | 'limits' | 'model' | 'signal'>;
  /** Active time left to the run. */
  readonly capMs: number;
  /** Called with each stream event after it was handled. */
  readonly onEvent: (event: StreamEvent) => void;
}

/** Feeds all observations of one process to supervision, and ends the process when supervision decides so. */
export class StepWatch {
  readonly #options: StepWatchOptions;
  readonly #ending = new AbortController();
  #watch: Watch;
  #stream: StreamState = STREAM_START;
  #sampleProcesses: (() => ProcessSample) | null = null;
  #peak = { processes: 0, rssMb: 0 };
  #stamp: string | null = null;
  #cancelCheck: () => void = () => undefined;
  #isClosed = false;

  constructor(options: StepWatchOptions) {
    this.#options = options;
    const { clock, job, capMs } = options;
    const limits = { ...WATCH_LIMITS, ...job.limits.watch };
    this.#watch = startWatch(clock.now(), { limits, capMs, windowTokens: job.model.windowTokens });
    this.#scheduleCheck();
  }

  get watch(): Watch {
    return this.#watch;
  }

  get stream(): StreamState {
    return this.#stream;
  }

  /** The most that was seen at once. */
  get peak(): Omit<ProcessSample, 'cpuMs'> {
    return this.#peak;
  }

  /** Aborted when the process must end: by supervision, or by the job's own signal. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.#options.job.signal, this.#ending.signal]);
  }

  onStart(sampleProcesses: () => ProcessSample): void {
    this.#sampleProcesses = sampleProcesses;
  }

  line(line: string): void {
    if (line === '') return;
    const event = parseStreamLine(line);
    this.#stream = withStreamEvent(this.#stream, event);
    if (event === null) return;
    for (const seen of watchEventsOf(event)) this.#feed(seen);
    // A short step may end between two samples.
    if (event.kind === 'init' || event.kind === 'tool-results' || event.kind === 'result') this.#sample();
    this.#options.onEvent(event);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelCheck();
  }

  #feed(event: WatchEvent): void {
    // It was ended from outside; what follows is not a reason of its own.
    if (this.#isClosed || this.#options.job.signal.aborted) return;
    const hadResult = this.#watch.resultAt !== null;
    const { watch, verdict } = supervise(this.#watch, event, this.#options.clock.now());
    this.#watch = watch;
    if (verdict.kind === 'stop') this.#ending.abort();
    else if (!hadResult && watch.resultAt !== null) this.#scheduleCheck();
  }

  #scheduleCheck(): void {
    const { clock } = this.#options;
    this.#cancelCheck();
    this.#cancelCheck = clock.at(clock.now() + nextCheckMs(this.#watch), () => {
      const sample = this.#sample();
      if (sample !== null) this.#feed({ kind: 'cpu', usedMs: sample.cpuMs });
      this.#feed({ kind: 'tick' });
      void this.#checkFiles();
      if (!this.#isClosed && this.#watch.stop === null) this.#scheduleCheck();
    });
  }

  #sample(): ProcessSample | null {
    const sample = this.#isClosed ? null : (this.#sampleProcesses?.() ?? null);
    if (sample !== null) {
      this.#peak = {
        processes: Math.max(this.#peak.processes, sample.processes),
        rssMb: Math.max(this.#peak.rssMb, sample.rssMb),
      };
    }
    return sample;
  }

  /** Checked only while the stream is quiet: file changes then show that work goes on. */
  async #checkFiles(): Promise<void> {
    const { clock, job } = this.#options;
    if (clock.now() - this.#watch.streamAt < this.#watch.limits.idleMs / 2) {
      this.#stamp = null;
      return;
    }
    const before = this.#stamp;
    this.#stamp = await checkoutStamp(job.clone.path);
    if (before !== null && before !== this.#stamp) this.#feed({ kind: 'files-changed' });
  }
}
