import { execa } from 'execa';
import type { Oid } from '../../world/model.js';
import { gitOptions } from '../git-process.js';

export interface ObjectInfo {
  readonly oid: Oid;
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly size: number;
}

export interface RawObject extends ObjectInfo {
  readonly content: Buffer;
}

interface Question {
  readonly wantsContent: boolean;
  readonly answer: (object: RawObject | null) => void;
  readonly fail: (error: Error) => void;
}

type Reader = ReturnType<typeof startReader>;

const OID = /^[0-9a-f]{40}$/;
const HEADER = /^([0-9a-f]{40}) (blob|tree|commit|tag) (\d+)$/;

const startReader = (path: string) =>
  execa('git', [`--git-dir=${path}`, 'cat-file', '--batch-command'], {
    ...gitOptions(path),
    encoding: 'buffer',
    stdin: 'pipe',
    stderr: 'ignore',
    buffer: false,
  });

/**
 * Reads objects through one long-lived `git cat-file --batch-command`, started at the first question.
 * git answers in the order it is asked, so concurrent reads are simply a queue.
 */
export class ObjectReader {
  readonly #path: string;
  #reader: Reader | null = null;
  #closed = false;
  #questions: Question[] = [];
  #chunks: Buffer[] = [];
  /** Bytes needed before parsing is worth another try: keeps a large blob from being joined once per chunk. */
  #needed = 0;

  constructor(path: string) {
    this.#path = path;
  }

  read(oid: Oid): Promise<RawObject | null> {
    return this.#ask('contents', oid);
  }

  async info(oid: Oid): Promise<ObjectInfo | null> {
    return this.#ask('info', oid);
  }

  async close(): Promise<void> {
    const reader = this.#reader;
    this.#closed = true;
    reader?.stdin.end();
    await reader;
  }

  #ask(command: 'contents' | 'info', oid: Oid): Promise<RawObject | null> {
    // Only full ids: `HEAD@{1}` and the like can make git die, and with it the answers of others.
    if (!OID.test(oid)) return Promise.resolve(null);
    if (this.#closed) return Promise.reject(new Error(`the repository is closed: ${this.#path}`));
    return new Promise((answer, fail) => {
      this.#questions.push({ wantsContent: command === 'contents', answer, fail });
      this.#reader ??= this.#start();
      this.#reader.stdin.write(`${command} ${oid}\n`);
    });
  }

  #start(): Reader {
    const reader = startReader(this.#path);
    reader.stdin.on('error', () => undefined);
    reader.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    void reader.then(() => this.#ended());
    return reader;
  }

  #ended(): void {
    const unanswered = this.#questions;
    this.#reader = null;
    this.#questions = [];
    this.#chunks = [];
    this.#needed = 0;
    for (const { fail } of unanswered) fail(new Error(`git cat-file ended before it answered, in ${this.#path}`));
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#needed -= chunk.length;
    if (this.#needed > 0) return;
    let rest: Buffer = Buffer.concat(this.#chunks);
    this.#needed = 0;
    for (let question = this.#questions[0]; question !== undefined; question = this.#questions[0]) {
      const end = rest.indexOf(10);
      if (end === -1) break;
      const info = parseHeader(rest.toString('latin1', 0, end));
      const length = end + 1 + (info !== null && question.wantsContent ? info.size + 1 : 0);
      if (rest.length < length) {
        this.#needed = length - rest.length;
        break;
      }
      this.#questions.shift();
      question.answer(info && { ...info, content: Buffer.from(rest.subarray(end + 1, length - 1)) });
      rest = rest.subarray(length);
    }
    this.#chunks = [rest];
  }
}

/** `null` for anything but a header, which is `<oid> missing`. */
function parseHeader(line: string): ObjectInfo | null {
  const [, oid, type, size] = HEADER.exec(line) ?? [];
  if (oid === undefined || type === undefined) return null;
  return { oid, type: type as ObjectInfo['type'], size: Number(size) };
}
