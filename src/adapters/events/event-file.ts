import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';

export interface EventFileOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** When a file has grown past this, the next one is begun. */
  readonly maxBytes?: number;
  /** When there are more files than this, the oldest are deleted. */
  readonly maxFiles?: number;
}

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 60;
const NAME = /^events-(\d{4}-\d\d-\d\d)-(\d{3,})\.jsonl$/;

/** Events on disk: one JSON object a line, one file a day or several when they grow. */
export class EventFile {
  readonly #options: Required<EventFileOptions>;
  #current: { readonly day: string; readonly part: number; bytes: number } | null = null;
  #broken = false;

  constructor(options: EventFileOptions) {
    this.#options = { maxBytes: MAX_BYTES, maxFiles: MAX_FILES, ...options };
  }

  /** Never rejects, because a full disk must not stop a run. A failure is logged once until writing works again. */
  async write(value: object): Promise<void> {
    const { log, folder } = this.#options;
    try {
      await this.#append(`${JSON.stringify(value)}\n`);
      this.#broken = false;
    } catch (error) {
      if (!this.#broken) log.warn({ folder, error: String(error) }, 'events not written to disk');
      this.#broken = true;
      this.#current = null;
    }
  }

  async #append(line: string): Promise<void> {
    const { folder, clock, maxBytes } = this.#options;
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    if (this.#current?.day !== day) this.#current = await this.#open(day);
    if (this.#current.bytes >= maxBytes) this.#current = await this.#begin(day, this.#current.part + 1);
    const { part } = this.#current;
    await appendFile(join(folder, nameOf(day, part)), line, { mode: 0o600 });
    this.#current.bytes += Buffer.byteLength(line);
  }

  /** Continues the file of an earlier process. */
  async #open(day: string) {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const last = (await this.#files()).findLast((name) => NAME.exec(name)?.[1] === day);
    if (last === undefined) return this.#begin(day, 1);
    return { day, part: Number(NAME.exec(last)?.[2]), bytes: (await stat(join(folder, last))).size };
  }

  async #begin(day: string, part: number) {
    const { folder, maxFiles } = this.#options;
    const old = (await this.#files()).slice(0, -(maxFiles - 1) || undefined);
    for (const name of old) await rm(join(folder, name), { force: true });
    return { day, part, bytes: 0 };
  }

  /** Oldest first. */
  async #files(): Promise<readonly string[]> {
    const names = await readdir(this.#options.folder);
    return names.filter((name) => NAME.test(name)).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  }
}

const nameOf = (day: string, part: number): string => `events-${day}-${String(part).padStart(3, '0')}.jsonl`;
