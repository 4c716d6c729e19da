import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** One process, told apart from a later one with the same id by when it started. */
export interface ProcessId {
  readonly pid: number;
  /** Clock ticks since boot. */
  readonly startTime: string;
}

/** Which process has this id now; `null` when none has, or only a dead one that waits to be reaped. */
export function liveProcess(pid: number): ProcessId | null {
  const fields = statOf(pid);
  const [state = 'X'] = fields;
  const startTime = fields[19];
  return startTime === undefined || isDead(state) ? null : { pid, startTime };
}

export function isAlive({ pid, startTime }: ProcessId): boolean {
  return liveProcess(pid)?.startTime === startTime;
}

export function childrenOf(pid: number): number[] {
  const children = readOrEmpty(`/proc/${pid}/task/${pid}/children`);
  return children.split(' ').map(Number).filter(isKillable);
}

/** What was seen when looking for processes by their environment. */
export interface ProcessSearch {
  readonly found: readonly number[];
  /** Some process is in the middle of being executed: whose it is cannot be seen yet. */
  readonly isUnsure: boolean;
}

/** The processes that were started with such an entry (`NAME=value`) in their environment. */
export function processesWith(isWanted: (entry: string) => boolean): ProcessSearch {
  const pids = processIds().filter((pid) => pid !== process.pid);
  const environs = pids.map(environmentOf);
  return {
    found: pids.filter((_, index) => environs[index]?.some(isWanted)),
    isUnsure: environs.includes(null),
  };
}

/** Everything but the machine's first process. */
export function processIds(): number[] {
  const names = existsSync('/proc') ? readdirSync('/proc') : [];
  return names.map(Number).filter(isKillable);
}

/** The environment a process was started with; `null` while the kernel is replacing one program by the next. */
function environmentOf(pid: number): string[] | null {
  const environ = readOrEmpty(`/proc/${pid}/environ`);
  if (environ !== '') return environ.split('\0');
  // Between two programs a process has neither environment nor arguments; an empty environment alone is somebody's choice.
  if (readOrEmpty(`/proc/${pid}/cmdline`) === '') return isProgram(pid) ? null : [];
  return readOrEmpty(`/proc/${pid}/environ`).split('\0');
}

/** Marks the kernel's own threads in the flags of a process. */
const KERNEL_THREAD = 0x00200000;

/** Whether this is a live process with a program of its own: not dead, and not a part of the kernel. */
function isProgram(pid: number): boolean {
  const [state, , , , , , flags] = statOf(pid);
  return state !== undefined && !isDead(state) && (Number(flags) & KERNEL_THREAD) === 0;
}

/** Signals a process that may be gone already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  if (!isKillable(pid)) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile: what was wanted.
  }
}

/** 0 and below mean whole groups to `kill`, and 1 is the machine. */
function isKillable(pid: number): boolean {
  return Number.isInteger(pid) && pid > 1;
}

/** The fields of a process from its state on; none when there is no such process. */
export function statOf(pid: number): string[] {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The command's name stands in brackets and may hold anything; the fixed fields come after the last one.
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

export function isDead(state: string): boolean {
  return state === 'Z' || state === 'X';
}

/** Without waiting: these files are made by the kernel as they are read, and a sweep reads hundreds of them. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
