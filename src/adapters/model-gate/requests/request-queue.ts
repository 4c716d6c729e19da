/** The requests of one run: so many at once, so many more in line. */
export class RequestQueue {
  readonly #atOnce: number;
  readonly #inLine: number;
  readonly #waiting = new Set<() => void>();
  #busy = 0;

  constructor({ atOnce, inLine }: { readonly atOnce: number; readonly inLine: number }) {
    this.#atOnce = atOnce;
    this.#inLine = inLine;
  }

  /** Waits for its turn; `full` when the line is too long, `gone` when the signal came first. */
  async enter(signal: AbortSignal): Promise<'entered' | 'full' | 'gone'> {
    if (signal.aborted) return 'gone';
    if (this.#busy < this.#atOnce) {
      this.#busy += 1;
      return 'entered';
    }
    if (this.#waiting.size >= this.#inLine) return 'full';
    return new Promise((resolve) => {
      // Whoever leaves hands over its place, so the number of busy ones stays.
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
