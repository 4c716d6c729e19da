import { constants } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Oid } from '../../domain/issue/ids.js';
import { readBundleHeader } from './bundle-header.js';
import { type BundleLimits, bundleRefusal, refuseLargePack, refuseTrees } from './bundle-limits.js';
import { type Git, gitText } from './git-process.js';
import type { TreeSizes } from './tree-sizes.js';

/** A bundle, and what is known about its origin. */
export interface IncomingBundle {
  readonly file: string;
  /** The ref of the wanted commit. */
  readonly tip: string;
  /** The commits it was made from, to compare sizes with. */
  readonly known: readonly Oid[];
  readonly limits: BundleLimits;
  readonly sizes: TreeSizes;
}

/**
 * Copies an agent's commits from a bundle into the mirror. Git 2.39 does not check the objects of a fetched bundle, so the pack is indexed
 * strictly in a separate folder, and moved only when it is complete, valid and small enough.
 */
export async function takeBundle(git: Git, mirror: string, bundle: IncomingBundle): Promise<Oid> {
  const { tip, limits } = bundle;
  const file = await openRegular(bundle.file, limits.bundleBytes);
  const incoming = await mkdtemp(join(mirror, 'incoming-'));
  try {
    const { refs, packStart } = await readBundleHeader(file);
    const oid = refs.get(tip);
    if (oid === undefined) throw bundleRefusal(`it holds no ${tip}`);
    await refuseLargePack(file, packStart, limits);
    await indexPack(git, mirror, incoming, file, packStart, limits);
    const env = quarantine(mirror, incoming);
    const { exitCode } = await git(mirror, ['cat-file', '-e', `${oid}^{commit}`], { env });
    if (exitCode !== 0) throw bundleRefusal('its tip is not a commit');
    await refuseTrees(git, mirror, { ...bundle, oid, alone: { GIT_OBJECT_DIRECTORY: incoming }, together: env });
    await moveOver(incoming, mirror);
    await gitText(git, mirror, ['update-ref', `refs/sluice-in/${oid}`, oid]);
    return oid;
  } finally {
    await file.close();
    await rm(incoming, { recursive: true, force: true });
  }
}

/** Opens a regular file of limited size: no link, no pipe. */
async function openRegular(path: string, maxBytes: number): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => {
    throw bundleRefusal('there is no plain file where it should be');
  });
  const { size, isRegular } = await file.stat().then((found) => ({ size: found.size, isRegular: found.isFile() }));
  if (isRegular && size <= maxBytes) return file;
  await file.close();
  throw bundleRefusal(isRegular ? `${size} bytes are more than the ${maxBytes} allowed` : 'it is not a plain file');
}

const quarantine = (mirror: string, incoming: string) => ({
  GIT_OBJECT_DIRECTORY: incoming,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: join(mirror, 'objects'),
});

/** Strict: every object must be valid, and everything it refers to must be in the pack or the mirror. */
async function indexPack(
  git: Git,
  mirror: string,
  incoming: string,
  file: FileHandle,
  packStart: number,
  { bundleBytes, objectBytes, indexing }: BundleLimits,
): Promise<void> {
  await mkdir(join(incoming, 'pack'));
  const input = file.createReadStream({ start: packStart, autoClose: false });
  const { exitCode, stderr } = await git(
    mirror,
    ['index-pack', '--stdin', '--fix-thin', '--strict', '--threads=1', `--max-input-size=${bundleBytes}`],
    {
      input,
      // A few bytes can unpack to gigabytes: git stops at a too large object, the kernel at too many.
      env: { ...quarantine(mirror, incoming), GIT_ALLOC_LIMIT: String(objectBytes) },
      config: { 'core.bigFileThreshold': String(objectBytes) },
      use: indexing,
    },
  ).catch((error: unknown) => {
    // If git does not finish, the bundle is at fault.
    throw bundleRefusal(error instanceof Error ? error.message : 'git failed');
  });
  if (exitCode !== 0) throw bundleRefusal(stderr.slice(0, 1000));
}

/** Moves the index last, because it makes the pack visible. */
async function moveOver(incoming: string, mirror: string): Promise<void> {
  const files = await readdir(join(incoming, 'pack'));
  const order = (name: string): number => (name.endsWith('.idx') ? 1 : 0);
  const target = join(mirror, 'objects', 'pack');
  await mkdir(target, { recursive: true });
  for (const name of files.filter((name) => name.startsWith('pack-')).sort((a, b) => order(a) - order(b)))
    await rename(join(incoming, 'pack', name), join(target, name));
}
