import { Worker } from 'node:worker_threads';
import type { Endpoint, Verdict } from './judge-body.js';

/** Buffers are transferred between threads, not copied. */
type OwnBytes = Uint8Array<ArrayBuffer>;

export interface JudgeJob {
  readonly id: number;
  readonly bytes: OwnBytes;
  readonly endpoint: Endpoint;
}

export interface JudgeReply {
  readonly id: number;
  readonly verdict: Verdict;
  readonly bytes: OwnBytes;
}

export type Judged =
  | { readonly kind: 'judged'; readonly verdict: Verdict; readonly bytes: Buffer }
  /** The thread ended before it gave a verdict. */
  | { readonly kind: 'lost' };

/** Judges the bodies of requests. */
export interface BodyJudge {
  /** Transfers the bytes to the thread and back. They must have their own memory. */
  judge(bytes: Buffer, endpoint: Endpoint): Promise<Judged>;
  close(): Promise<void>;
}

/** The scanner builds no values, so it needs little memory. */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 };

/** One thread, and the pending verdicts. */
interface Running {
  readonly worker: Worker;
  readonly waiting: Map<number, (judged: Judged) => void>;
}

/** Judges bodies one after another in a thread. It starts with the first body, and again after it was closed or died. */
export class JudgeThread implements BodyJudge {
  #running: Running | null = null;
  #jobs = 0;

  judge(bytes: Buffer, endpoint: Endpoint): Promise<Judged> {
    this.#running ??= this.#start();
    const { worker, waiting } = this.#running;
    const id = this.#jobs;
    this.#jobs += 1;
    const own = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
    const judged = new Promise<Judged>((resolve) => waiting.set(id, resolve));
    worker.postMessage({ id, bytes: own, endpoint } satisfies JudgeJob, [own.buffer]);
    return judged;
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.worker.terminate();
  }

  #start(): Running {
    const worker = new Worker(new URL('./judge-worker.js', import.meta.url), { resourceLimits: LIMITS });
    const running: Running = { worker, waiting: new Map() };
    worker.unref();
    worker.on('message', ({ id, verdict, bytes }: JudgeReply) => {
      const back = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      running.waiting.get(id)?.({ kind: 'judged', verdict, bytes: back });
      running.waiting.delete(id);
    });
    // The `exit` event follows.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#running === running) this.#running = null;
      for (const settle of running.waiting.values()) settle({ kind: 'lost' });
      running.waiting.clear();
    });
    return running;
  }
}
