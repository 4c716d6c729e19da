import type { IncomingHttpHeaders } from 'node:http';
import type { Instant } from '../../../ports/clock.js';
import type { ModelTrouble } from '../../../ports/model-gate.js';
import { OutputTail } from '../../../streams/output-tail.js';
import { readStreamError, readTrouble } from './read-trouble.js';
import { type RequestSize, UsageMeter } from './usage-meter.js';

/** The head of an answer. */
export interface AnswerHead {
  readonly at: Instant;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Errors are small. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Reads an answer while it is forwarded: its usage, and its errors. */
export class AnswerReader {
  readonly meter: UsageMeter;
  readonly #head: AnswerHead;
  /** Whether the status is a success. */
  readonly isGood: boolean;
  readonly #said = new OutputTail(MAX_ERROR_BYTES);

  constructor(head: AnswerHead, asked: RequestSize) {
    this.#head = head;
    this.isGood = head.status >= 200 && head.status < 300;
    this.meter = new UsageMeter(head.headers['content-type'], asked);
  }

  push(chunk: Buffer): void {
    if (this.isGood) this.meter.push(chunk);
    else this.#said.push(chunk);
  }

  /** The trouble so far. */
  trouble(): ModelTrouble | null {
    const error = this.meter.error();
    if (error !== null) return readStreamError(this.#head.at, error);
    return this.isGood ? null : readTrouble({ ...this.#head, body: this.#said.text() });
  }

  /** Whether the model has answered, and to the end. */
  isAnswered(): boolean {
    return this.isGood && this.finalTrouble() === null;
  }

  /** The trouble at the end: an incomplete answer counts, too. */
  finalTrouble(): ModelTrouble | null {
    const isCutOff = this.isGood && !this.meter.isComplete();
    return this.trouble() ?? (isCutOff ? { kind: 'provider-down', why: 'The answer broke off.' } : null);
  }
}
