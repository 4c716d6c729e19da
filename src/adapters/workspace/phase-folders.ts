import { chmod, lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { execa } from 'execa';
import type { RepoRef } from '../../domain/issue/ids.js';

/** The folders of a phase run. Only `clone` and `home` are visible to what runs there. */
export interface PhaseFolders {
  readonly root: string;
  readonly clone: string;
  readonly home: string;
  /** The result's folder; mounted only while it is made. */
  readonly out: string;
  /** Holds the commit the work started from, once the clone is whole. */
  readonly note: string;
  /** Names the owner of the clone. */
  readonly ownerFile: string;
}

const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

export function phaseFolders(folder: string, repo: RepoRef, phaseRun: string): PhaseFolders {
  if (!NAME.test(phaseRun)) throw new Error(`a phase run cannot be called ${JSON.stringify(phaseRun)}`);
  return foldersIn(join(folder, folderName(repo), phaseRun));
}

export function foldersIn(root: string): PhaseFolders {
  return {
    root,
    clone: join(root, 'clone'),
    home: join(root, 'home'),
    out: join(root, 'out'),
    note: join(root, 'start'),
    ownerFile: join(root, 'owner.json'),
  };
}

/** A cache that setup on the base branch fills for later runs. */
export const cacheFolder = (folder: string, repo: RepoRef): string => join(folder, `${folderName(repo)}.cache`);

/** GitHub ignores case: `Ada/Sandbox` is `ada/sandbox`. */
const folderName = ({ owner, repo }: RepoRef): string =>
  `${encodeURIComponent(owner)}+${encodeURIComponent(repo)}`.toLowerCase();

export async function makeFolders({ clone, home, out }: PhaseFolders): Promise<void> {
  for (const path of [clone, join(home, 'tmp'), out]) await mkdir(path, { recursive: true });
}

/** Makes a folder empty, whatever was there. */
export async function emptyFolder(folder: string, path: string): Promise<void> {
  await removeFolder(folder, path);
  await mkdir(path);
}

/** Removes a folder below `folder`, without following links. */
export async function removeFolder(folder: string, path: string): Promise<void> {
  const parent = await realpath(dirname(path)).catch(() => null);
  if (parent === null) return;
  if (!isInside(await realpath(folder), parent)) throw new Error(`${path} is not below ${folder}: left alone`);
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    // Package managers may write-protect their folders.
    await makeRemovable(path).catch(() => undefined);
    await rm(path, { recursive: true, force: true }).catch(() => removeDeep(path));
  }
}

/** Removes folders nested deeper than the longest path: `rm` descends step by step. */
async function removeDeep(path: string): Promise<void> {
  await execa('chmod', ['-R', 'u+rwX', '--', path], { reject: false });
  await execa('rm', ['-rf', '--', path]);
}

async function makeRemovable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null || !found.isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await makeRemovable(join(path, name));
}

/** Whether a real path is `folder` or below it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep);
}
