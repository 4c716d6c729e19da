import { Worker } from 'node:worker_threads';
import type { Endpoint, Verdict } from './judge-body.js';

/** Bytes cross between the threads without being copied. */
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
  /** The thread ended before it had judged. */
  | { readonly kind: 'lost' };

/** Judges the bodies of requests. */
export interface BodyJudge {
  /** Takes the bytes away, and gives them back with the verdict. They must have a memory of their own. */
  judge(bytes: Buffer, endpoint: Endpoint): Promise<Judged>;
  close(): Promise<void>;
}

/** The scanner builds nothing: it needs next to no memory of its own. */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 };

/** One thread, and who waits for its verdicts. */
interface Running {
  readonly worker: Worker;
  readonly waiting: Map<number, (judged: Judged) => void>;
}

/** Judges in another thread, one body after the other. It is started with the first one, and again after it was closed or died. */
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
    // Its end follows.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#running === running) this.#running = null;
      for (const settle of running.waiting.values()) settle({ kind: 'lost' });
      running.waiting.clear();
    });
    return running;
  }
}
