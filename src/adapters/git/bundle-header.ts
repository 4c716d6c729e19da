import type { FileHandle } from 'node:fs/promises';
import type { Oid } from '../../domain/issue/ids.js';
import { GitHostError } from '../../ports/git-host.js';

/** The header of a bundle. */
export interface BundleHeader {
  readonly refs: ReadonlyMap<string, Oid>;
  /** Where the pack begins. */
  readonly packStart: number;
}

const SIGNATURE = '# v2 git bundle';
const LONGEST_HEADER = 65_536;

/** Reads the header of a version 2 bundle. An agent wrote the file, so anything unusual is an error. */
export async function readBundleHeader(file: FileHandle): Promise<BundleHeader> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_HEADER), 0, LONGEST_HEADER, 0);
  const end = buffer.subarray(0, bytesRead).indexOf('\n\n');
  const [signature, ...lines] = buffer.subarray(0, Math.max(0, end)).toString().split('\n');
  if (signature !== SIGNATURE) throw new GitHostError('The result is not a git bundle of version 2.', 'permanent');
  const refs = new Map<string, Oid>();
  for (const line of lines) {
    const [, oid, name] = /^([0-9a-f]{40}) (\S+)$/.exec(line) ?? [];
    if (oid !== undefined && name !== undefined) refs.set(name, oid);
    else if (!/^-[0-9a-f]{40}( |$)/.test(line))
      throw new GitHostError('The bundle has a header line git does not write.', 'permanent');
  }
  return { refs, packStart: end + 2 };
}
