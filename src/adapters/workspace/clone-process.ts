import type { Mount, Sandbox, SandboxedCommand, SandboxResult } from '../../ports/sandbox.js';
import { excessText } from '../../domain/render/phrases/sandbox-limits.js';
import type { CommandOutcome } from '../../ports/workspace.js';
import type { PhaseFolders } from './phase-folders.js';

export interface CloneCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly disk?: SandboxedCommand['disk'];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs a command in a clone. Nothing runs there in any other way. */
export type RunInClone = (command: CloneCommand) => Promise<SandboxResult>;

const OUTPUT_BYTES = 32_768;
/** The first error is often the one that matters. */
const HEAD_BYTES = 4_096;

/** The environment of every command in a clone, besides what the caller adds. */
const ENVIRONMENT = {
  LANG: 'C.UTF-8',
  CI: 'true',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
};

export function runInClone(
  sandbox: Sandbox,
  { clone, home }: PhaseFolders,
  environment: Readonly<Record<string, string>>,
): RunInClone {
  return async ({ argv, env = {}, mounts, disk = 'total', timeoutMs, signal }) => {
    signal.throwIfAborted();
    const result = await sandbox.run({
      argv,
      cwd: clone,
      env: { ...ENVIRONMENT, ...environment, HOME: home, TMPDIR: `${home}/tmp`, ...env },
      mounts,
      disk,
      timeoutMs,
      maxOutputBytes: OUTPUT_BYTES,
      headBytes: HEAD_BYTES,
      signal,
    });
    const { end } = result;
    if (end.kind === 'aborted') throw signal.reason ?? new Error('stopped');
    // The sandbox failed, so this must not count as the command's result.
    if (end.kind === 'failed') throw new Error(`The sandbox could not run a command: ${end.why}`);
    return result;
  };
}

/** A shell command whose two outputs come as one, in order. */
export const shell = (command: string): [string, ...string[]] => [
  'sh',
  '-c',
  'exec 2>&1; exec sh -c "$1"',
  'sh',
  command,
];

/** A finished command as its outcome: exit code 0 is success. */
export function outcomeOf({ end, stdout, stderr }: SandboxResult, timeoutMs: number): CommandOutcome {
  const printed = [stdout, stderr].filter((text) => text !== '').join('\n');
  switch (end.kind) {
    case 'exited':
      return { passed: end.code === 0, output: end.code === 0 ? printed : withNote(printed, `exit code ${end.code}`) };
    case 'timed-out':
      return {
        passed: false,
        timedOut: true,
        output: withNote(printed, `stopped after ${Math.round(timeoutMs / 1000)} s: its time was up`),
      };
    case 'limited':
      return {
        passed: false,
        overLimit: true,
        output: withNote(printed, `stopped by Sluice. ${excessText(end.excess)}`),
      };
    case 'killed':
      return { passed: false, output: withNote(printed, `killed by ${end.signal}`) };
    case 'aborted':
    case 'failed':
      return { passed: false, output: printed };
  }
}

const withNote = (printed: string, note: string): string =>
  [printed.trimEnd(), `(${note})`].filter((text) => text !== '').join('\n');
