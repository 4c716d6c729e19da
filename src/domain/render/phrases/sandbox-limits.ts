import type { Excess, LimitName } from '../../limits/sandbox-limits.js';

/* Texts about the sandbox: which limit ended a command, and which guards are active on this machine. */

const WORDS: Readonly<Record<LimitName, { readonly what: string; readonly variable: string }>> = {
  memory: { what: 'MB of memory', variable: 'SLUICE_SANDBOX_MEMORY_MB' },
  processes: { what: 'processes', variable: 'SLUICE_SANDBOX_PROCESSES' },
  threads: { what: 'threads', variable: 'SLUICE_SANDBOX_PROCESSES' },
  disk: { what: 'MB of disk', variable: 'SLUICE_SANDBOX_DISK_MB' },
  files: { what: 'files', variable: 'SLUICE_SANDBOX_FILES' },
  depth: { what: 'bytes in one path', variable: 'SLUICE_SANDBOX_FILES' },
  'file-size': { what: 'MB in one file', variable: 'SLUICE_SANDBOX_FILE_MB' },
  'open-files': { what: 'open files', variable: 'SLUICE_SANDBOX_OPEN_FILES' },
};

/** `It took 5,120 MB of memory; 4,096 are allowed (SLUICE_SANDBOX_MEMORY_MB).` */
export function excessText({ limit, used, allowed }: Excess): string {
  const { what, variable } = WORDS[limit];
  if (limit === 'depth')
    return `It made folders nested so deep that they cannot be measured (more than ${allowed} ${what}).`;
  if (used <= allowed) return `It wanted more than the ${figure(allowed)} ${what} that are allowed (${variable}).`;
  return `It took ${figure(used)} ${what}; ${figure(allowed)} are allowed (${variable}).`;
}

const figure = (number: number): string => Math.round(number).toLocaleString('en-US');

/** The guards around commands. Which are active depends on the machine and its operator. */
export const GUARDS = ['namespaces', 'no-new-users', 'seccomp', 'small-tmp', 'rlimits', 'watcher', 'cgroup'] as const;
export type Guard = (typeof GUARDS)[number];

const GUARD_WORDS: Readonly<Record<Guard, string>> = {
  namespaces: 'namespaces',
  'no-new-users': 'no nested user namespaces',
  seccomp: 'system call filter',
  'small-tmp': 'sized /tmp',
  rlimits: 'file limits',
  watcher: 'memory, process and disk watcher',
  cgroup: 'cgroup',
};

/** `namespaces, system call filter, … (without: cgroup)`. */
export function guardsText(guards: readonly Guard[]): string {
  const [held, missing] = [true, false].map((isHeld) =>
    GUARDS.filter((guard) => guards.includes(guard) === isHeld).map((guard) => GUARD_WORDS[guard]),
  );
  const without = missing === undefined || missing.length === 0 ? '' : ` (without: ${missing.join(', ')})`;
  return `${(held ?? []).join(', ')}${without}`;
}
