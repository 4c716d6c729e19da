import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatIssue, type Oid } from '../../domain/issue/ids.js';
import type { GitHost } from '../../ports/git-host.js';
import type { Log } from '../../ports/log.js';
import type { Mount, Sandbox } from '../../ports/sandbox.js';
import { type CloneRequest, type Workspace, WorkspaceError } from '../../ports/workspace.js';
import { createKeyedMutex, type KeyedMutex } from '../../concurrency/keyed-mutex.js';
import { createClone } from './clone.js';
import { claimClone } from './clone-owner.js';
import { outcomeOf, type RunInClone, runInClone } from './clone-process.js';
import { FOUND, OPEN } from './clone-scripts.js';
import { cacheFolder, makeFolders, type PhaseFolders, phaseFolders, removeFolder } from './phase-folders.js';
import { protectedPaths } from '../../domain/limits/protected-paths.js';
import { readConfig, runSetup, type ConfigReading } from './run-setup.js';

export interface WorkspaceConfig {
  /** PATH of everything that runs in a clone. */
  readonly path: string;
  /** Author and committer of commits made in a clone. */
  readonly identity: { readonly name: string; readonly email: string };
  /** Tests, criteria, and git itself. */
  readonly commandTimeoutMs: number;
  readonly setupTimeoutMs: number;
  readonly maxBundleBytes: number;
}

export interface WorkspaceOptions {
  /** Where the clones are. */
  readonly folder: string;
  readonly gitHost: GitHost;
  readonly sandbox: Sandbox;
  /** Reads `.github/sluice.yml`. */
  readonly parseConfig: (text: string) => ConfigReading;
  readonly config: WorkspaceConfig;
  readonly log: Log;
}

/** A clone being opened. */
interface Opening {
  readonly request: CloneRequest;
  readonly folders: PhaseFolders;
  /** The mirror's objects. */
  readonly objects: string;
  readonly cache: string;
  readonly run: RunInClone;
}

/** A clone per phase run, made of objects borrowed from the mirror. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { folder, gitHost, sandbox, config, log } = options;
  const mutex = createKeyedMutex();
  return {
    open: async (request) => {
      const { ref, phaseRun, signal } = request;
      signal.throwIfAborted();
      const folders = phaseFolders(folder, ref, phaseRun);
      const cache = cacheFolder(folder, ref);
      const run = runInClone(sandbox, folders, { PATH: config.path, SLUICE_CACHE: cache });
      const opening = { request, folders, objects: join(await gitHost.mirror(ref), 'objects'), cache, run };
      const { protected: patterns = [], setup = null } = await readConfig(
        gitHost,
        ref,
        request.base,
        options.parseConfig,
      );
      const rules = { base: request.base, isProtected: protectedPaths(patterns) };
      const known = await readNote(folders);
      if (known === null) await make(options, opening, setup, mutex);
      else await claimClone(folders.ownerFile, ownerOf(opening.request));
      log.info({ issue: formatIssue(ref), phaseRun, again: known !== null }, 'clone ready');
      const { identity, commandTimeoutMs: timeoutMs, maxBundleBytes } = config;
      const common = { ref, rules, folder, folders, run, gitHost, identity, timeoutMs, maxBundleBytes };
      return createClone({ ...common, start: known ?? request.at, mounts: mountsOf(opening, 'read') });
    },
  };
}

/** Creates a clone completely or not at all. */
async function make(
  options: WorkspaceOptions,
  opening: Opening,
  setup: string | null,
  mutex: KeyedMutex,
): Promise<void> {
  const { folders, request } = opening;
  await removeFolder(options.folder, folders.root);
  await makeFolders(folders);
  await claimClone(folders.ownerFile, ownerOf(request));
  await mkdir(opening.cache, { recursive: true });
  try {
    await checkOut(options, opening);
    if (setup !== null) await setUp(options, opening, setup, mutex);
    await writeFile(folders.note, request.at);
  } catch (error) {
    await removeFolder(options.folder, folders.root);
    throw error;
  }
}

const ownerOf = ({ ref, phaseRun }: CloneRequest) => ({
  ref: { owner: ref.owner, repo: ref.repo, number: ref.number },
  phaseRun,
});

async function checkOut({ config }: WorkspaceOptions, opening: Opening): Promise<void> {
  const { request, objects, run } = opening;
  const timeoutMs = config.commandTimeoutMs;
  const result = await run({
    argv: ['sh', '-c', OPEN],
    env: {
      GIT_CONFIG_GLOBAL: '/dev/null',
      OBJECTS: objects,
      AT: request.at,
      BASE: request.base,
      NAME: config.identity.name,
      EMAIL: config.identity.email,
    },
    mounts: mountsOf(opening, 'read'),
    timeoutMs,
    signal: request.signal,
  });
  const code = result.end.kind === 'exited' ? result.end.code : -1;
  if (code === FOUND.submodule) throw unsupported('submodules');
  if (code === FOUND.lfs) throw unsupported('Git LFS');
  if (code !== 0) throw new Error(`No clone could be made at ${request.at}: ${outcomeOf(result, timeoutMs).output}`);
}

const unsupported = (what: string): WorkspaceError =>
  new WorkspaceError(
    'unsupported-repository',
    `This repository uses ${what}, which Sluice does not support yet.`,
    'Work on this repository by hand for now.',
  );

/** Runs setup. Only a setup of the base branch may fill the cache, so that no agent can leave anything in it for others. */
async function setUp(options: WorkspaceOptions, opening: Opening, command: string, mutex: KeyedMutex): Promise<void> {
  const { request, run, cache } = opening;
  const { signal, base, at } = request;
  const { setupTimeoutMs: timeoutMs } = options.config;
  const set = (access: Mount['access']): Promise<void> =>
    runSetup(run, command, { mounts: mountsOf(opening, access), timeoutMs, signal });
  await (at === base ? mutex(cache, () => set('write')) : set('read'));
}

function mountsOf({ folders, objects, cache }: Opening, cacheAccess: Mount['access']): Mount[] {
  return [
    { path: folders.clone, access: 'write' },
    { path: folders.home, access: 'write' },
    { path: objects, access: 'read' },
    { path: cache, access: cacheAccess },
  ];
}

/** Reads the note beside a clone, out of the agent's reach: the clone is complete, and where its work began. */
async function readNote({ note }: PhaseFolders): Promise<Oid | null> {
  const text = await readFile(note, 'utf8').catch(() => '');
  return /^[0-9a-f]{40}$/.test(text) ? text : null;
}
