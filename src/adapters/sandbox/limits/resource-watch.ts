import { Worker } from 'node:worker_threads';
import type { Excess } from '../../../domain/limits/sandbox-limits.js';
import type { WatchOrder } from './run-usage.js';
import { CHECK_MS, type WatchFinding, type WatchMessage } from './watch-messages.js';

interface Watched {
  readonly order: WatchOrder;
  readonly onExcess: (excess: Excess) => void;
  /** Called when there will be no more findings about it. */
  readonly onForgotten: () => void;
  isOver: boolean;
}

/**
 * Watches what runs use, and reports who takes too much. Uses real time, whatever the service's clock says, because memory and disks fill
 * up in real time.
 */
export class ResourceWatch {
  readonly #watched = new Map<number, Watched>();
  #lastId = 0;
  #worker: Worker | null = null;

  /**
   * Starts to watch. The returned function ends it, and resolves after the last finding. A run that ends before the first check costs
   * nothing.
   */
  watch(order: Omit<WatchOrder, 'id'>, onExcess: (excess: Excess) => void): () => Promise<void> {
    this.#lastId += 1;
    const id = this.#lastId;
    const end: { forgotten: () => void } = { forgotten: () => undefined };
    const forgotten = new Promise<void>((resolve) => {
      end.forgotten = resolve;
    });
    const first = setTimeout(() => {
      const watched = { order: { ...order, id }, onExcess, onForgotten: () => end.forgotten(), isOver: false };
      this.#watched.set(id, watched);
      if (this.#worker === null) this.#start();
      else this.#post({ kind: 'watch', order: watched.order });
    }, CHECK_MS).unref();
    return async () => {
      clearTimeout(first);
      const watched = this.#watched.get(id);
      if (watched === undefined) return;
      watched.isOver = true;
      this.#post({ kind: 'forget', id });
      await forgotten;
    };
  }

  #post(message: WatchMessage): void {
    this.#worker?.postMessage(message);
  }

  #onFinding({ id, excess }: WatchFinding): void {
    if (excess === null) this.#forget(id);
    else this.#watched.get(id)?.onExcess(excess);
  }

  #forget(id: number): void {
    const watched = this.#watched.get(id);
    this.#watched.delete(id);
    watched?.onForgotten();
    if (this.#watched.size > 0) return;
    const worker = this.#worker;
    this.#worker = null;
    void worker?.terminate();
  }

  #start(): void {
    const worker = new Worker(new URL('./watch-worker.js', import.meta.url), { env: {}, execArgv: [] });
    worker.unref();
    this.#worker = worker;
    worker.on('message', (finding: WatchFinding) => this.#onFinding(finding));
    // No run may go unwatched: when the thread dies, a new one takes over.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const [id, { isOver }] of this.#watched) if (isOver) this.#forget(id);
      if (this.#watched.size > 0) this.#start();
    });
    for (const { order } of this.#watched.values()) this.#post({ kind: 'watch', order });
  }
}
