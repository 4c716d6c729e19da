import { readdirSync } from 'node:fs';
import type { ProcessSample } from '../../../ports/sandbox.js';
import { isDead, processIds, readOrEmpty, statOf } from './proc.js';

/** The kernel counts processor time in hundredths of a second, and memory in pages. */
const TICK_MS = 10;
const PAGE_BYTES = 4096;
const MB = 1024 * 1024;

/** What is seen of one process. */
interface ProcessEntry {
  readonly threads: number;
  readonly rssBytes: number;
  /** With that of children that have ended. */
  readonly cpuMs: number;
}

/** The processes of this machine at one moment, and who started them. */
export interface ProcessTable {
  readonly entries: ReadonlyMap<number, ProcessEntry>;
  readonly children: ReadonlyMap<number, readonly number[]>;
}

export function readProcessTable(): ProcessTable {
  const entries = new Map<number, ProcessEntry>();
  const children = new Map<number, number[]>();
  for (const pid of processIds()) {
    const fields = statOf(pid);
    const [state = 'X', parent] = fields;
    if (isDead(state)) continue;
    const field = (index: number): number => Number(fields[index] ?? 0);
    const cpuMs = (field(11) + field(12) + field(13) + field(14)) * TICK_MS;
    entries.set(pid, { threads: field(17), rssBytes: field(21) * PAGE_BYTES, cpuMs });
    const siblings = children.get(Number(parent));
    if (siblings === undefined) children.set(Number(parent), [pid]);
    else siblings.push(pid);
  }
  return { entries, children };
}

/**
 * A process and all its descendants. In a PID namespace nobody gets away from these: who loses their parent becomes a child of the
 * namespace's first process. Without one, whoever does so is not seen.
 */
export function familyIn({ entries, children }: ProcessTable, root: number): readonly number[] {
  const family = [root];
  for (const pid of family) family.push(...(children.get(pid) ?? []));
  return family.filter((pid) => entries.has(pid));
}

export function sumOf({ entries }: ProcessTable, family: readonly number[], of: keyof ProcessEntry): number {
  return family.reduce((sum, pid) => sum + (entries.get(pid)?.[of] ?? 0), 0);
}

/** What a process and its descendants use. */
export function sampleFamily(root: number): ProcessSample {
  const table = readProcessTable();
  const family = familyIn(table, root);
  return {
    processes: family.length,
    cpuMs: sumOf(table, family, 'cpuMs'),
    rssMb: Math.round(sumOf(table, family, 'rssBytes') / MB),
  };
}

/** Memory of a process with its share of what it has in common with others: of its own, and of files in memory. */
export function shareOf(pid: number): { readonly ownBytes: number; readonly sharedBytes: number } | null {
  const rollup = readOrEmpty(`/proc/${pid}/smaps_rollup`);
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1] ?? 0);
  if (rollup === '') return null;
  const shared = kilobytes('Pss_Shmem');
  return { ownBytes: (kilobytes('Pss') - shared) * 1024, sharedBytes: shared * 1024 };
}

/** The numbers of the files a process has open. */
export function descriptorsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}
