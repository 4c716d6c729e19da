import { statfsSync, statSync } from 'node:fs';
import type { Excess, SandboxLimits } from '../../../domain/limits/sandbox-limits.js';
import { type FolderSize, walkFolders } from './folder-walk.js';

const MB = 1024 * 1024;
/** The kernel's limit for paths. */
const LONGEST_PATH = 4096;
/** Pause between walks while nothing seems to grow; longer where walks take long, so that they use a thirtieth of one core at most. */
const CALM_MS = 10_000;
const CALM_FACTOR = 30;
/** While the file system fills up walks are more frequent: a fifth of one core at most. */
const GROWING_FACTOR = 4;
/** The share of the limit that saving the work of a run with full folders may add. */
const ROOM_SHARE = 1 / 8;

interface Amount {
  readonly bytes: number;
  readonly files: number;
}

export interface DiskOrder {
  readonly folders: readonly string[];
  readonly mode: 'total' | 'growth';
  readonly limits: Pick<SandboxLimits, 'diskMb' | 'files'>;
}

/**
 * Measures how much some folders hold. A walk is expensive (a second for 100,000 files); asking the file system for its total use is free.
 * So there is one walk at first, and another when the last result plus the growth of the file system could be too much. Deletions by others
 * may hide growth, so there is a walk now and then anyway.
 */
export class DiskUsage {
  readonly #order: DiskOrder;
  readonly #devices: readonly string[];
  readonly #begun: Amount;
  /** The use of the file systems when the last walk began. */
  #taken: Amount;
  #size: FolderSize | null = null;
  #walk: { readonly steps: Generator<undefined, FolderSize>; readonly taken: Amount; ms: number } | null = null;
  #lastMs = 0;
  #lastAt = 0;
  #most: Amount;

  constructor(order: DiskOrder) {
    this.#order = order;
    const { diskMb, files } = order.limits;
    this.#most = { bytes: diskMb * MB, files };
    this.#devices = onePerDevice(order.folders);
    this.#begun = takenOf(this.#devices);
    this.#taken = this.#begun;
  }

  get isWalking(): boolean {
    return this.#walk !== null;
  }

  /** Begins a walk if one is due. */
  startWalkIfDue(now: number): void {
    if (this.#walk !== null || this.#order.folders.length === 0) return;
    const since = now - this.#lastAt;
    const isDue =
      this.#size === null ||
      since >= Math.max(CALM_MS, CALM_FACTOR * this.#lastMs) ||
      (since >= GROWING_FACTOR * this.#lastMs && this.#couldBeTooMuch(this.#size));
    if (!isDue) return;
    // The existing content must be measured completely.
    const most = this.#isFirstOfGrowth ? { bytes: Infinity, files: Infinity } : this.#most;
    this.#walk = { steps: walkFolders(this.#order.folders, most), taken: takenOf(this.#devices), ms: 0 };
  }

  /** Continues the walk for `ms`. Returns what is too much once it is over, including `namelessBytes` of deleted open files. */
  step(ms: number, now: () => number, namelessBytes: number): Excess | null {
    const walk = this.#walk;
    if (walk === null) return null;
    const from = now();
    for (;;) {
      const { done, value } = walk.steps.next();
      if (done === true) {
        this.#lastMs = walk.ms + now() - from;
        return this.#ended(value, walk.taken, now(), namelessBytes);
      }
      if (now() - from < ms) continue;
      walk.ms += now() - from;
      return null;
    }
  }

  #ended(size: FolderSize, taken: Amount, now: number, namelessBytes: number): Excess | null {
    const isBaseline = this.#isFirstOfGrowth;
    this.#walk = null;
    this.#size = size;
    this.#taken = taken;
    this.#lastAt = now;
    if (isBaseline) {
      const { bytes, files } = this.#most;
      this.#most = {
        bytes: size.bytes + Math.floor(bytes * ROOM_SHARE),
        files: size.files + Math.floor(files * ROOM_SHARE),
      };
      return null;
    }
    return this.#excess(size, namelessBytes);
  }

  get #isFirstOfGrowth(): boolean {
    return this.#order.mode === 'growth' && this.#size === null;
  }

  #couldBeTooMuch({ bytes, files }: FolderSize): boolean {
    const now = takenOf(this.#devices);
    const grown = { bytes: now.bytes - this.#taken.bytes, files: now.files - this.#taken.files };
    return bytes + grown.bytes > this.#most.bytes || files + grown.files > this.#most.files;
  }

  #excess(size: FolderSize, namelessBytes: number): Excess | null {
    if (size.isTooDeep) return { limit: 'depth', used: LONGEST_PATH + 1, allowed: LONGEST_PATH };
    // For unreadable folders the worst is assumed: all growth of the file system.
    const now = takenOf(this.#devices);
    const hidden = size.hidden === 0 ? 0 : Math.max(0, now.bytes - this.#begun.bytes);
    const bytes = size.bytes + hidden + namelessBytes;
    if (bytes > this.#most.bytes) return { limit: 'disk', used: bytes / MB, allowed: this.#most.bytes / MB };
    return size.files > this.#most.files ? { limit: 'files', used: size.files, allowed: this.#most.files } : null;
  }
}

/** One folder of each file system. */
function onePerDevice(folders: readonly string[]): readonly string[] {
  const found = new Map<number, string>();
  for (const folder of folders) {
    const device = attempt(() => statSync(folder).dev);
    if (device !== null && !found.has(device)) found.set(device, folder);
  }
  return [...found.values()];
}

function takenOf(folders: readonly string[]): Amount {
  const sum = { bytes: 0, files: 0 };
  for (const folder of folders) {
    const system = attempt(() => statfsSync(folder));
    if (system === null) continue;
    sum.bytes += (system.blocks - system.bfree) * system.bsize;
    sum.files += system.files - system.ffree;
  }
  return sum;
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
