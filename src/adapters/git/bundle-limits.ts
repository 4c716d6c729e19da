import type { FileHandle } from 'node:fs/promises';
import type { Oid } from '../../domain/issue/ids.js';
import { GitHostError } from '../../ports/git-host.js';
import { type Git, gitText, type ProcessUse } from './git-process.js';
import { measureTrees, type TreeSizes } from './tree-sizes.js';

export interface BundleLimits {
  /** The largest accepted bundle. */
  readonly bundleBytes: number;
  /** The largest single object; GitHub itself refuses files beyond 100 MB. */
  readonly objectBytes: number;
  /** All objects together, unpacked. */
  readonly unpackedBytes: number;
  readonly objects: number;
  /** How many more paths each of its commits may have than the commits it was made from. */
  readonly morePaths: number;
  /** How deep folders may be nested. If the repository itself has deeper ones, those set the limit. */
  readonly depth: number;
  /** The time and memory that indexing it may use. */
  readonly indexing: ProcessUse;
}

/** The work of an agent on one issue is a few hundred files; these leave room for generated code and copied libraries. */
export const BUNDLE_LIMITS: BundleLimits = {
  bundleBytes: 64 * 2 ** 20,
  objectBytes: 100 * 2 ** 20,
  // A checkout of it has to fit beside those of other runs.
  unpackedBytes: 512 * 2 ** 20,
  objects: 50_000,
  // Nobody reviews more; GitHub shows 3,000 files of a pull request.
  morePaths: 10_000,
  depth: 64,
  // Git indexes a pack of 64 MiB in seconds. One that takes a minute was made to.
  indexing: { cpuSeconds: 60, memoryBytes: 2 ** 30 },
};

export const bundleRefusal = (why: string): GitHostError =>
  new GitHostError(`The bundle cannot be taken over: ${why}.`, 'permanent');

const PACK_HEADER_BYTES = 12;

/** A pack's first twelve bytes name its number of objects, and git allocates for it unchecked. */
export async function refuseLargePack(file: FileHandle, packStart: number, { objects }: BundleLimits): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(PACK_HEADER_BYTES), 0, PACK_HEADER_BYTES, packStart);
  // Git has a better message for what is not a pack.
  if (bytesRead < PACK_HEADER_BYTES || buffer.toString('latin1', 0, 4) !== 'PACK') return;
  const count = buffer.readUInt32BE(8);
  if (count > objects) throw bundleRefusal(`${count} objects are more than the ${objects} allowed`);
}

interface Incoming {
  /** The commit that is wanted. */
  readonly oid: Oid;
  readonly known: readonly Oid[];
  readonly limits: BundleLimits;
  readonly sizes: TreeSizes;
  /** Only what came in. */
  readonly alone: Readonly<Record<string, string>>;
  /** The same with everything the mirror has. */
  readonly together: Readonly<Record<string, string>>;
}

/** Refuses valid objects that do harm: too many or too large, or files that would be missing in every checkout. */
export async function refuseTrees(git: Git, mirror: string, incoming: Incoming): Promise<void> {
  const { limits, together, sizes, known } = incoming;
  const commits = await refuseManyBytes(git, mirror, incoming);
  const trees = await treesOf(git, mirror, commits, together);
  const measured = await measureTrees(sizes, git, mirror, trees, { env: together });
  const before = await measureTrees(sizes, git, mirror, await treesOf(git, mirror, known, together), { env: together });
  const most = (of: (size: (typeof before)[number]) => number): number => Math.max(0, ...before.map(of));
  const paths = most((size) => size.paths) + limits.morePaths;
  const depth = Math.max(
    limits.depth,
    most((size) => size.depth),
  );
  for (const size of measured) {
    if (size.links > 0) throw bundleRefusal('it contains a git repository within the repository (a submodule)');
    if (size.depth > depth) throw bundleRefusal(`its folders lie ${size.depth} deep, and ${depth} are allowed`);
    if (size.paths > paths) throw bundleRefusal(`it has ${size.paths} files, and ${paths} are allowed`);
  }
  await refuseLargeFileStorage(git, mirror, incoming.oid, together);
}

/** Checks the unpacked size, and returns the commits. */
async function refuseManyBytes(git: Git, mirror: string, { limits, alone }: Incoming): Promise<readonly Oid[]> {
  const format = '--batch-check=%(objecttype) %(objectname) %(objectsize)';
  const args = ['cat-file', '--batch-all-objects', '--unordered', format];
  const commits: Oid[] = [];
  let bytes = 0;
  for (const line of (await gitText(git, mirror, args, { env: alone })).split('\n')) {
    const [type, oid = '', size] = line.split(' ');
    if (Number(size) > limits.objectBytes) throw bundleRefusal(`a file has more than ${limits.objectBytes} bytes`);
    bytes += Number(size ?? 0);
    if (bytes > limits.unpackedBytes)
      throw bundleRefusal(`it unpacks to more than the ${limits.unpackedBytes} bytes allowed`);
    if (type === 'commit') commits.push(oid);
  }
  return commits;
}

async function treesOf(
  git: Git,
  mirror: string,
  commits: readonly Oid[],
  env: Readonly<Record<string, string>>,
): Promise<readonly Oid[]> {
  if (commits.length === 0) return [];
  const input = commits.map((oid) => `${oid}^{tree}\n`).join('');
  const lines = await gitText(git, mirror, ['cat-file', '--batch-check=%(objectname)'], { input, env });
  return [...new Set(lines.split('\n').filter((line) => /^[0-9a-f]{40}$/.test(line)))];
}

/** Once landed, such a file would make every later clone fail and end all work in the repository. */
async function refuseLargeFileStorage(
  git: Git,
  mirror: string,
  commit: Oid,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const pattern = '(^|[[:space:]])filter=lfs([[:space:]]|$)';
  const args = ['grep', '-q', '-E', pattern, commit, '--', ':(glob,icase)**/.gitattributes'];
  if ((await git(mirror, args, { env })).exitCode === 0)
    throw bundleRefusal('it puts files under Git LFS, which Sluice does not support yet');
}
