import { type Excess, type SandboxLimits, THREADS_PER_PROCESS } from '../../../domain/limits/sandbox-limits.js';
import { type DiskOrder, DiskUsage } from './disk-usage.js';
import { type NamelessFiles, namelessFiles } from './nameless-files.js';
import { familyIn, type ProcessTable, shareOf, sumOf } from '../process/process-table.js';

const MB = 1024 * 1024;
/** A slow check runs less often: a tenth of one core at most. */
const REST_FACTOR = 10;
/** Open files of all processes of a run together. More are a flood, and are not checked one by one. */
const OPEN_FILES_FACTOR = 32;

/** What to watch, and its limits. */
export interface WatchOrder {
  readonly id: number;
  /** The process that all others descend from. */
  readonly root: number;
  /** Where they may write. */
  readonly folders: DiskOrder['folders'];
  readonly mode: DiskOrder['mode'];
  readonly limits: SandboxLimits;
}

/** Checks repeatedly what one run uses. */
export class RunUsage {
  readonly #order: WatchOrder;
  readonly #now: () => number;
  readonly #disk: DiskUsage;
  #nameless: NamelessFiles = { memoryBytes: 0, diskBytes: 0, open: 0 };
  #namelessAgainAt = 0;
  #shares = 0;
  #sharesAgainAt = 0;

  constructor(order: WatchOrder, now: () => number) {
    this.#order = order;
    this.#now = now;
    this.#disk = new DiskUsage(order);
  }

  get isWalking(): boolean {
    return this.#disk.isWalking;
  }

  /** What is too much now, except what only a walk through the folders shows. */
  check(table: ProcessTable): Excess | null {
    const { root, limits } = this.#order;
    const family = familyIn(table, root);
    this.#disk.startWalkIfDue(this.#now());
    if (family.length > limits.processes) return { limit: 'processes', used: family.length, allowed: limits.processes };
    const threads = sumOf(table, family, 'threads');
    const mostThreads = limits.processes * THREADS_PER_PROCESS;
    if (threads > mostThreads) return { limit: 'threads', used: threads, allowed: mostThreads };
    return this.#openFiles(family) ?? this.#memory(table, family);
  }

  /** Goes on with a walk through the folders, if there is one. */
  step(ms: number): Excess | null {
    return this.#disk.step(ms, this.#now, this.#nameless.diskBytes);
  }

  #openFiles(family: readonly number[]): Excess | null {
    const { openFiles, diskMb } = this.#order.limits;
    const mostOpen = openFiles * OPEN_FILES_FACTOR;
    const from = this.#now();
    if (from < this.#namelessAgainAt) return null;
    this.#nameless = namelessFiles(family, mostOpen);
    this.#namelessAgainAt = this.#now() + REST_FACTOR * (this.#now() - from);
    const { open, diskBytes } = this.#nameless;
    if (open > mostOpen) return { limit: 'open-files', used: open, allowed: mostOpen };
    return diskBytes > diskMb * MB ? { limit: 'disk', used: diskBytes / MB, allowed: diskMb } : null;
  }

  /**
   * The sum of resident memory is cheap, but counts shared pages for each process. Only when it is too much are the shares read. Files in
   * memory always count.
   */
  #memory(table: ProcessTable, family: readonly number[]): Excess | null {
    const { memoryMb: allowed } = this.#order.limits;
    const inFiles = this.#nameless.memoryBytes;
    const held = sumOf(table, family, 'rssBytes') + inFiles;
    if (held <= allowed * MB) return null;
    const from = this.#now();
    if (from >= this.#sharesAgainAt) {
      this.#shares = sharedFairly(table, family, inFiles);
      this.#sharesAgainAt = this.#now() + REST_FACTOR * (this.#now() - from);
    }
    return this.#shares > allowed * MB ? { limit: 'memory', used: this.#shares / MB, allowed } : null;
  }
}

function sharedFairly(table: ProcessTable, family: readonly number[], inFiles: number): number {
  let own = 0;
  let shared = 0;
  for (const pid of family) {
    // An unreadable process counts in full.
    const share = shareOf(pid) ?? { ownBytes: table.entries.get(pid)?.rssBytes ?? 0, sharedBytes: 0 };
    own += share.ownBytes;
    shared += share.sharedBytes;
  }
  return own + Math.max(shared, inFiles);
}
