import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

/* Names the process that owns something on disk, so that others can check whether it is still alive. */

export const ownerProcessSchema = z.strictObject({
  /** The machine or container, by name. */
  host: z.string(),
  /** The boot id and the PID namespace: the pid is only valid within them. */
  numbering: z.string(),
  pid: z.number().int().positive(),
  /** Distinguishes the process from a later one with the same pid. */
  startTime: z.string(),
});
export type OwnerProcess = z.infer<typeof ownerProcessSchema>;

export const thisProcess = (): OwnerProcess => ({
  host: hostname(),
  numbering: numbering(),
  pid: process.pid,
  startTime: startTimeOf(process.pid) ?? '',
});

/**
 * Whether the process is certainly gone. A host name belongs to one machine or container at a time: when boot or namespace changed, all
 * earlier processes are gone. Nothing is certain about other machines.
 */
export function isGone(owner: OwnerProcess): boolean {
  const { numbering: counted, pid, startTime } = owner;
  if (isElsewhere(owner)) return false;
  return counted !== numbering() || startTimeOf(pid) !== (startTime === '' ? null : startTime);
}

/** Whether the process is one of another machine or container. */
export const isElsewhere = ({ host }: OwnerProcess): boolean => host !== hostname();

function numbering(): string {
  return `${attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())} ${attempt(() => readlinkSync('/proc/self/ns/pid'))}`;
}

/** `null` when there is no such process, or only a dead one that waits to be reaped. */
function startTimeOf(pid: number): string | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The command's name stands in brackets and may hold anything; the fixed fields come after the last one.
  const [state = 'X', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? null : (fields[18] ?? null);
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
