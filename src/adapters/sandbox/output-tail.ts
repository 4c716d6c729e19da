/** The newest bytes of a stream, up to a cap; what came before them is forgotten. */
export class OutputTail {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Merged only when twice the cap is held, so that many small chunks stay cheap.
    if (this.#bytes > 2 * this.#maxBytes) this.#cut();
  }

  text(): string {
    this.#cut();
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  #cut(): void {
    const all = Buffer.concat(this.#chunks);
    const kept = all.length > this.#maxBytes ? wholeCharacters(all.subarray(all.length - this.#maxBytes)) : all;
    // A copy lets go of the large buffer behind the part that is kept.
    this.#chunks = [Buffer.from(kept)];
    this.#bytes = kept.length;
  }
}

/** Without the bytes at its start that belong to a character cut in two. */
function wholeCharacters(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000);
  return start === -1 ? bytes.subarray(bytes.length) : bytes.subarray(start);
}
