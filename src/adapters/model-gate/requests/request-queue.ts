/** The request queue of one run, with limits for active and waiting requests. */
export class RequestQueue {
  readonly #atOnce: number;
  readonly #inLine: number;
  readonly #waiting = new Set<() => void>();
  #busy = 0;

  constructor({ atOnce, inLine }: { readonly atOnce: number; readonly inLine: number }) {
    this.#atOnce = atOnce;
    this.#inLine = inLine;
  }

  /** Waits for a turn; `full` when too many wait, `gone` when the signal came first. */
  async enter(signal: AbortSignal): Promise<'entered' | 'full' | 'gone'> {
    if (signal.aborted) return 'gone';
    if (this.#busy < this.#atOnce) {
      this.#busy += 1;
      return 'entered';
    }
    if (this.#waiting.size >= this.#inLine) return 'full';
    return new Promise((resolve) => {
      // A finished request hands its place over, so the number of active ones stays.
      const call = (): void => resolve('entered');
      this.#waiting.add(call);
      signal.addEventListener(
        'abort',
        () => {
          if (this.#waiting.delete(call)) resolve('gone');
        },
        { once: true },
      );
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#busy -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
