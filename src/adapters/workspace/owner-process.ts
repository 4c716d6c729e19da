import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

/* Which process something on disk belongs to, so that another one can tell later whether it is still somebody's. */

export const ownerProcessSchema = z.strictObject({
  /** The machine or container, by name. */
  host: z.string(),
  /** The boot of the machine and the namespace the number counts in: under another one it means another process. */
  numbering: z.string(),
  pid: z.number().int().positive(),
  /** Tells the process from a later one with the same number. */
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
 * Whether the process is certainly no more. A name stands for one machine or container at a time: when its numbering has
 * changed, everything of the one before is gone. Of another machine nothing is certain.
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
