const NEWLINE = 0x0a;

/** Far longer than any event of the CLI. A longer line can only be an attack. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Splits a stream into lines. A line that is too long is dropped; later lines are not. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #skipping = false;

  constructor(onLine: (line: string) => void, maxBytes = MAX_LINE_BYTES) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      this.#add(rest.subarray(0, end));
      this.#finish();
      rest = rest.subarray(end + 1);
    }
    this.#add(rest);
  }

  /** Ends the stream. A rest without a newline is also a line. */
  end(): void {
    if (this.#bytes > 0) this.#finish();
  }

  #add(piece: Buffer): void {
    if (this.#bytes + piece.length > this.#maxBytes) {
      this.#skipping = true;
      this.#pieces = [];
    }
    this.#bytes += piece.length;
    if (!this.#skipping && piece.length > 0) this.#pieces.push(piece);
  }

  #finish(): void {
    const [only, ...more] = this.#pieces;
    const line = (only !== undefined && more.length === 0 ? only : Buffer.concat(this.#pieces)).toString('utf8');
    const whole = !this.#skipping;
    this.#pieces = [];
    this.#bytes = 0;
    this.#skipping = false;
    if (whole) this.#onLine(line);
  }
}
