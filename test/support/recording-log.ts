import type { Log } from '../../src/ports/log.js';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: object;
}

/** A log that can be read, and waited on. */
export class RecordingLog implements Log {
  readonly lines: LogLine[] = [];
  readonly #waiting = new Set<() => void>();

  info(fields: object, message: string): void {
    this.#add({ level: 'info', message, fields });
  }

  warn(fields: object, message: string): void {
    this.#add({ level: 'warn', message, fields });
  }

  error(fields: object, message: string): void {
    this.#add({ level: 'error', message, fields });
  }

  /** Lines with this message so far. */
  said(message: string): readonly LogLine[] {
    return this.lines.filter((line) => line.message === message);
  }

  /** Resolves when this has been said. */
  async until(message: string): Promise<void> {
    while (this.said(message).length === 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #add(line: LogLine): void {
    this.lines.push(line);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
