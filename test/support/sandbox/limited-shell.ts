import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import type { ProcessLimits } from '../../../src/adapters/sandbox/process/process-tree.js';
import type { LimitName, SandboxLimits } from '../../../src/domain/limits/sandbox-limits.js';
import type { Sandbox, SandboxedCommand, SandboxResult } from '../../../src/ports/sandbox.js';
import { afterThisFile } from '../clean-up.js';

/** So little that no attack on it can hurt the machine the tests run on. */
export const SMALL: SandboxLimits = {
  memoryMb: 64,
  processes: 20,
  diskMb: 16,
  files: 300,
  fileMb: 4,
  openFiles: 64,
  tmpMb: 4,
};

type OpenSandbox = (limits: ProcessLimits, tools?: readonly string[]) => Sandbox;

/** Runs scripts in a folder of their own, in real time, held to small limits. */
export async function openLimitedShell(open: OpenSandbox, resources: Partial<SandboxLimits> = {}) {
  const limits = { clock: systemClock, graceMs: 1000, resources: { ...SMALL, ...resources } };
  const sandbox = open(limits, [dirname(process.execPath)]);
  const newFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'limits-'));
    // Some of what is tried here lies too deep for Node to remove.
    afterThisFile(() => execa('rm', ['-rf', folder]));
    return folder;
  };
  const shell = async (script: string, options: Partial<SandboxedCommand> = {}): Promise<SandboxResult> => {
    const folder = await newFolder();
    return sandbox.run({
      argv: ['/bin/bash', '-c', script],
      cwd: folder,
      env: { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: folder },
      mounts: [{ path: folder, access: 'write' }],
      timeoutMs: 15_000,
      maxOutputBytes: 20_000,
      ...options,
    });
  };
  return { shell, newFolder };
}

/** What a result is like whose command took too much of this. */
export const endedFor = (limit: LimitName) => ({ end: { kind: 'limited', excess: { limit } } });
