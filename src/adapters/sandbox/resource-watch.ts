import { Worker } from 'node:worker_threads';
import type { Excess } from '../../domain/sandbox-limits.js';
import type { WatchOrder } from './run-usage.js';
import { LOOK_MS, type WatchFinding, type WatchMessage } from './watch-messages.js';

interface Watched {
  readonly order: WatchOrder;
  readonly onExcess: (excess: Excess) => void;
}

/**
 * Watches what runs use, and says who takes too much. In real time, whatever the service's clock says: that is when memory and
 * disks fill up.
 */
export class ResourceWatch {
  readonly #watched = new Map<number, Watched>();
  #lastId = 0;
  #worker: Worker | null = null;

  /** Starts to watch; the returned function ends it. What is over before the first look costs nothing. */
  watch(order: Omit<WatchOrder, 'id'>, onExcess: (excess: Excess) => void): () => void {
    this.#lastId += 1;
    const id = this.#lastId;
    const first = setTimeout(() => {
      const watched = { order: { ...order, id }, onExcess };
      this.#watched.set(id, watched);
      if (this.#worker === null) this.#start();
      else this.#post({ kind: 'watch', order: watched.order });
    }, LOOK_MS).unref();
    return () => {
      clearTimeout(first);
      if (this.#watched.delete(id)) this.#post({ kind: 'forget', id });
      if (this.#watched.size === 0) this.#stop();
    };
  }

  #post(message: WatchMessage): void {
    this.#worker?.postMessage(message);
  }

  #start(): void {
    const worker = new Worker(new URL('./watch-worker.js', import.meta.url), { env: {}, execArgv: [] });
    worker.unref();
    this.#worker = worker;
    for (const { order } of this.#watched.values()) this.#post({ kind: 'watch', order });
    worker.on('message', ({ id, excess }: WatchFinding) => this.#watched.get(id)?.onExcess(excess));
    // Nobody may run unwatched: when it breaks, another one takes over.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      if (this.#watched.size > 0) this.#start();
    });
  }

  #stop(): void {
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }
}
