import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineSplitter } from '../../../streams/line-splitter.js';
import { OutputTail } from '../../../streams/output-tail.js';

/** Turns of the event loop without a byte after which a pipe counts as empty. */
const QUIET_TURNS = 10;

export interface CapturedOutput {
  /** Takes what is still in the pipe, then lets go of it; the newest bytes as text. */
  finish(): Promise<string>;
}

interface CaptureOptions {
  readonly onLine?: ((line: string) => void) | undefined;
  readonly headBytes?: number | undefined;
}

export function captureOutput(
  stream: Readable | null,
  maxBytes: number,
  { onLine, headBytes }: CaptureOptions = {},
): CapturedOutput {
  const tail = new OutputTail(maxBytes, headBytes);
  const lines = onLine === undefined ? null : new LineSplitter(onLine);
  const pipe = { quietTurns: 0, closed: stream === null };
  stream?.on('data', (chunk: Buffer) => {
    pipe.quietTurns = 0;
    tail.push(chunk);
    lines?.push(chunk);
  });
  stream?.once('close', () => {
    pipe.closed = true;
  });
  return {
    finish: async () => {
      // A process out of our reach may hold the pipe open for ever: what has been written by now is enough.
      for (; !pipe.closed && pipe.quietTurns < QUIET_TURNS; pipe.quietTurns += 1) await nextTurn();
      stream?.destroy();
      lines?.end();
      return tail.text();
    },
  };
}
