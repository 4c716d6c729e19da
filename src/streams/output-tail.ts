/** Keeps the newest bytes of a stream, up to a limit, and optionally its first bytes. */
export class OutputTail {
  readonly #maxBytes: number;
  readonly #headBytes: number;
  #head = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #bytes = 0;
  #cutBytes = 0;

  constructor(maxBytes: number, headBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#headBytes = headBytes;
  }

  push(chunk: Buffer): void {
    const room = this.#headBytes - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Merged only when twice the cap is held, so that many small chunks stay cheap.
    if (this.#bytes > 2 * this.#maxBytes) this.#cut();
  }

  text(): string {
    this.#cut();
    const tail = Buffer.concat(this.#chunks);
    if (this.#cutBytes === 0 || this.#headBytes === 0) return tail.toString('utf8');
    // If head and tail overlap, nothing is missing in between.
    const overlap = this.#head.length - this.#cutBytes;
    if (overlap >= 0) return Buffer.concat([this.#head, tail.subarray(overlap)]).toString('utf8');
    const head = this.#head.toString('utf8').replace(/\uFFFD+$/, '');
    return `${head}\n[… ${-overlap} bytes left out …]\n${tail.toString('utf8')}`;
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks);
    const kept = all.length > this.#maxBytes ? wholeCharacters(all.subarray(all.length - this.#maxBytes)) : all;
    this.#cutBytes += all.length - kept.length;
    // Copied, so that the large buffer behind the kept part can be freed.
    this.#chunks = [Buffer.from(kept)];
    this.#bytes = kept.length;
  }
}

/** Without the bytes at its start that belong to a character cut in two. */
function wholeCharacters(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
  return start === -1 ? bytes.subarray(bytes.length) : bytes.subarray(start);
}
