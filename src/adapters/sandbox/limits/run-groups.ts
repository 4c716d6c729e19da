import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Excess, SandboxLimits } from '../../../domain/limits/sandbox-limits.js';
import { THREADS_PER_PROCESS } from '../../../domain/limits/sandbox-limits.js';

const MB = 1024 * 1024;
/** The kernel releases a group a moment after its last process has ended. */
const REMOVALS = 20;
const REMOVAL_MS = 50;

/** A group of processes that the kernel itself holds to limits. */
export interface RunGroup {
  /** The file by which processes enter it. */
  readonly path: string;
  /** The limit in which the kernel had to end something, if it had to. */
  excess(): Promise<Excess | null>;
  /** Ends what is left in it, and removes it. */
  close(): Promise<void>;
}

/** Groups for runs, if the operator delegated a cgroup. */
export interface RunGroups {
  open(limits: SandboxLimits): Promise<RunGroup>;
}

/** Groups below a folder of cgroup version 2 that was delegated to the user we run as. */
export function createRunGroups(folder: string): RunGroups {
  return {
    open: async ({ memoryMb, processes }) => {
      const path = join(folder, `sluice-${randomBytes(6).toString('hex')}`);
      await mkdir(path);
      await writeFile(join(path, 'memory.max'), String(memoryMb * MB));
      await writeFile(join(path, 'pids.max'), String(processes * THREADS_PER_PROCESS));
      // Not every kernel has these: without them the two above still hold.
      await writeFile(join(path, 'memory.swap.max'), '0').catch(() => undefined);
      await writeFile(join(path, 'memory.oom.group'), '1').catch(() => undefined);
      return {
        path,
        excess: async () => {
          const events = await readFile(join(path, 'memory.events'), 'utf8').catch(() => '');
          const kills = Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0);
          return kills > 0 ? { limit: 'memory', used: memoryMb, allowed: memoryMb } : null;
        },
        close: async () => {
          await writeFile(join(path, 'cgroup.kill'), '1').catch(() => undefined);
          await removeGroup(path);
        },
      };
    },
  };
}

async function removeGroup(path: string): Promise<void> {
  for (let left = REMOVALS; left > 0; left -= 1) {
    const isGone = await rmdir(path).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    if (isGone) return;
    await setTimeout(REMOVAL_MS);
  }
}

/** Why the operator's folder cannot be used; `null` when it can. */
export async function groupsProblem(folder: string): Promise<string | null> {
  const controllers = await readFile(join(folder, 'cgroup.subtree_control'), 'utf8').catch(() => null);
  if (controllers === null) return `${folder} is no cgroup of version 2.`;
  const missing = ['memory', 'pids'].filter((name) => !controllers.split(/\s+/).includes(name));
  if (missing.length > 0) return `${folder}/cgroup.subtree_control does not name ${missing.join(' and ')}.`;
  const isOurs = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  return isOurs ? null : `${folder} is not ours to write to.`;
}
