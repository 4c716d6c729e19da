import { readlinkSync, statSync } from 'node:fs';
import { descriptorsOf } from '../process/process-table.js';

/** Space that processes hold in files without a name, which a walk through folders does not find. */
export interface NamelessFiles {
  /** Files in memory. */
  readonly memoryBytes: number;
  /** Files that were deleted while open. */
  readonly diskBytes: number;
  /** All open files, the others too. */
  readonly open: number;
}

/** Looks at the open files of these processes, until there are more than `mostOpen`. */
export function namelessFiles(pids: readonly number[], mostOpen: number): NamelessFiles {
  const seen = new Set<string>();
  const sum = { memoryBytes: 0, diskBytes: 0, open: 0 };
  for (const pid of pids) {
    for (const descriptor of descriptorsOf(pid)) {
      sum.open += 1;
      if (sum.open > mostOpen) return sum;
      const found = nameless(`/proc/${pid}/fd/${descriptor}`);
      if (found === null || seen.has(found.id)) continue;
      seen.add(found.id);
      if (found.isInMemory) sum.memoryBytes += found.bytes;
      else sum.diskBytes += found.bytes;
    }
  }
  return sum;
}

function nameless(path: string): { readonly id: string; readonly bytes: number; readonly isInMemory: boolean } | null {
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.nlink > 0) return null;
    const isInMemory = readlinkSync(path).startsWith('/memfd:');
    return { id: `${stat.dev} ${stat.ino}`, bytes: stat.blocks * 512, isInMemory };
  } catch {
    // Closed meanwhile.
    return null;
  }
}
