import { constants } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Oid } from '../../domain/ids.js';
import { GitHostError } from '../../ports/git-host.js';
import { readBundleHeader } from './bundle-header.js';
import { type Git, gitText } from './git-process.js';
import { refuseOffLimits } from './off-limits.js';

export interface BundleLimits {
  /** The largest bundle that is looked at. */
  readonly bundleBytes: number;
  /** The largest single object; GitHub itself refuses files beyond 100 MB. */
  readonly objectBytes: number;
}

/**
 * Takes the commits of an agent's bundle over into the mirror. Git 2.39 does not check the objects of a bundle it fetches
 * from, so the pack is indexed here, strictly, in a folder of its own, and moved over only when it is whole and sound.
 */
export async function takeBundle(
  git: Git,
  mirror: string,
  bundle: string,
  tip: string,
  limits: BundleLimits,
): Promise<Oid> {
  const file = await openRegular(bundle, limits.bundleBytes);
  const incoming = await mkdtemp(join(mirror, 'incoming-'));
  try {
    const { refs, packStart } = await readBundleHeader(file);
    const oid = refs.get(tip);
    if (oid === undefined) throw refused(`it holds no ${tip}`);
    await indexPack(git, mirror, incoming, file, packStart, limits);
    const { exitCode } = await git(mirror, ['cat-file', '-e', `${oid}^{commit}`], {
      env: quarantine(mirror, incoming),
    });
    if (exitCode !== 0) throw refused('its tip is not a commit');
    const alone = { GIT_OBJECT_DIRECTORY: incoming };
    await refuseOffLimits(git, { mirror, alone, together: quarantine(mirror, incoming) });
    await moveOver(incoming, mirror);
    await gitText(git, mirror, ['update-ref', `refs/sluice-in/${oid}`, oid]);
    return oid;
  } finally {
    await file.close();
    await rm(incoming, { recursive: true, force: true });
  }
}

const refused = (why: string): GitHostError =>
  new GitHostError(`The bundle cannot be taken over: ${why}.`, 'permanent');

/** Opens a file only if it is one, of a bearable size: no link to elsewhere, no pipe that never ends. */
async function openRegular(path: string, maxBytes: number): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => {
    throw refused('there is no plain file where it should be');
  });
  const { size, isRegular } = await file.stat().then((found) => ({ size: found.size, isRegular: found.isFile() }));
  if (isRegular && size <= maxBytes) return file;
  await file.close();
  throw refused(isRegular ? `${size} bytes are more than the ${maxBytes} allowed` : 'it is not a plain file');
}

const quarantine = (mirror: string, incoming: string) => ({
  GIT_OBJECT_DIRECTORY: incoming,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: join(mirror, 'objects'),
});

/** Strictly: every object is sound, and everything it refers to is there or in the mirror. */
async function indexPack(
  git: Git,
  mirror: string,
  incoming: string,
  file: FileHandle,
  packStart: number,
  { bundleBytes, objectBytes }: BundleLimits,
): Promise<void> {
  await mkdir(join(incoming, 'pack'));
  const input = file.createReadStream({ start: packStart, autoClose: false });
  const { exitCode, stderr } = await git(
    mirror,
    ['index-pack', '--stdin', '--fix-thin', '--strict', `--max-input-size=${bundleBytes}`],
    {
      input,
      // A few bytes can unpack to gigabytes: git gives up at an object it may not hold.
      env: { ...quarantine(mirror, incoming), GIT_ALLOC_LIMIT: String(objectBytes) },
      config: { 'core.bigFileThreshold': String(objectBytes) },
    },
  ).catch((error: unknown) => {
    // Nobody but the bundle is to blame when git does not come to an end with it.
    throw refused(error instanceof Error ? error.message : 'git failed');
  });
  if (exitCode !== 0) throw refused(stderr.slice(0, 1000));
  const sizes = await gitText(
    git,
    mirror,
    ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectsize)'],
    {
      env: { GIT_OBJECT_DIRECTORY: incoming },
    },
  );
  if (sizes.split('\n').some((size) => Number(size) > objectBytes))
    throw refused(`a file has more than ${objectBytes} bytes`);
}

/** The index last: it is what makes a pack visible. */
async function moveOver(incoming: string, mirror: string): Promise<void> {
  const files = await readdir(join(incoming, 'pack'));
  const order = (name: string): number => (name.endsWith('.idx') ? 1 : 0);
  const target = join(mirror, 'objects', 'pack');
  await mkdir(target, { recursive: true });
  for (const name of files.filter((name) => name.startsWith('pack-')).sort((a, b) => order(a) - order(b)))
    await rename(join(incoming, 'pack', name), join(target, name));
}
