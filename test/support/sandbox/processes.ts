import { readdirSync, readFileSync } from 'node:fs';

/** The commands of all live processes of this machine, sandboxed ones too, that have `marker` among their arguments. */
export function processesNaming(marker: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf)
    .filter((command) => command.includes(marker));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
