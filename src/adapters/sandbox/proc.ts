import { readdir, readFile } from 'node:fs/promises';

/** One process, told apart from a later one with the same id by when it started. */
export interface ProcessId {
  readonly pid: number;
  /** Clock ticks since boot. */
  readonly startTime: string;
}

/** Which process has this id now; `null` when none has, or only a dead one that waits to be reaped. */
export async function liveProcess(pid: number): Promise<ProcessId | null> {
  const stat = await readOrEmpty(`/proc/${pid}/stat`);
  // The command's name stands in brackets and may hold anything; the fixed fields come after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTime = fields[19];
  if (startTime === undefined || state === 'Z' || state === 'X') return null;
  return { pid, startTime };
}

export async function isAlive({ pid, startTime }: ProcessId): Promise<boolean> {
  return (await liveProcess(pid))?.startTime === startTime;
}

export async function childrenOf(pid: number): Promise<number[]> {
  const children = await readOrEmpty(`/proc/${pid}/task/${pid}/children`);
  return children.split(' ').map(Number).filter(isKillable);
}

/** The processes that were started with `entry` (`NAME=value`) in their environment. */
export async function processesWith(entry: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => isKillable(pid) && pid !== process.pid);
  const tagged = await Promise.all(
    pids.map(async (pid) => (await readOrEmpty(`/proc/${pid}/environ`)).split('\0').includes(entry)),
  );
  return pids.filter((_, index) => tagged[index]);
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

async function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
