import { type Dir, lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';

/** The content of some folders. */
export interface FolderSize {
  readonly bytes: number;
  readonly files: number;
  /** Unreadable folders, whose content is not counted. */
  readonly hidden: number;
  /** Something is nested deeper than the kernel's longest path. */
  readonly isTooDeep: boolean;
}

/** Entries between two pauses. */
const SLICE = 200;
const ENTRIES_AT_ONCE = 512;

/** The walk stops when this is exceeded. */
type Most = Pick<FolderSize, 'bytes' | 'files'>;

/**
 * Measures folders in small steps, so that the caller can do other things in between. Blocks count, not lengths, because of sparse files.
 * Links are not followed, and a file with several names counts once.
 */
export function* walkFolders(folders: readonly string[], most: Most): Generator<undefined, FolderSize> {
  const size = { bytes: 0, files: 0, hidden: 0, isTooDeep: false };
  const seen = new Set<string>();
  const left = [...folders];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    const dir = openFolder(folder);
    if (dir === 'hidden') size.hidden += 1;
    else if (dir === 'too-deep') return { ...size, isTooDeep: true };
    for (const name of typeof dir === 'string' ? [] : namesIn(dir)) {
      const path = join(folder, name);
      const found = sizeOf(path);
      if (found === 'too-deep') return { ...size, isTooDeep: true };
      if (found === null || (found.id !== null && seen.has(found.id))) continue;
      if (found.id !== null) seen.add(found.id);
      if (found.isFolder) left.push(path);
      size.bytes += found.bytes;
      size.files += 1;
      if (size.bytes > most.bytes || size.files > most.files) return size;
      if (size.files % SLICE === 0) yield;
    }
  }
  return size;
}

function openFolder(folder: string): Dir | 'hidden' | 'too-deep' | 'gone' {
  try {
    return opendirSync(folder, { bufferSize: ENTRIES_AT_ONCE });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENAMETOOLONG') return 'too-deep';
    return code === 'EACCES' ? 'hidden' : 'gone';
  }
}

/** Reads some names at a time, because a folder may hold millions. */
function* namesIn(dir: Dir): Generator<string, undefined> {
  try {
    for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) yield entry.name;
  } finally {
    dir.closeSync();
  }
}

interface Found {
  readonly bytes: number;
  readonly isFolder: boolean;
  /** Identifies a file with several names. */
  readonly id: string | null;
}

function sizeOf(path: string): Found | 'too-deep' | null {
  try {
    const stat = lstatSync(path);
    const isFolder = stat.isDirectory();
    const id = !isFolder && stat.nlink > 1 ? `${stat.dev} ${stat.ino}` : null;
    return { bytes: stat.blocks * 512, isFolder, id };
  } catch (error) {
    // It may have been removed meanwhile.
    return codeOf(error) === 'ENAMETOOLONG' ? 'too-deep' : null;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
