import { access, constants } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { Sandbox } from '../../ports/sandbox.js';
import { Bubblewrap } from './bubblewrap.js';
import type { Limits } from './leash.js';
import { Unsandboxed } from './unsandboxed.js';

export interface DetectOptions extends Limits {
  /** Where programs are looked for: the value of PATH. */
  readonly path: string;
  /** More of the host to show read-only to every command, besides the Node that runs us. */
  readonly tools?: readonly string[];
}

export interface DetectedSandbox {
  readonly sandbox: Sandbox;
  /** Why there are no walls, and what to do; `null` when there are. */
  readonly why: string | null;
}

const TRIAL_MS = 10_000;

/** The best sandbox this machine has, tried out and not only found. */
export async function detectSandbox(options: DetectOptions): Promise<DetectedSandbox> {
  const none = (why: string): DetectedSandbox => ({ sandbox: new Unsandboxed(options), why });
  const program = await findProgram('bwrap', options.path);
  if (program === null) return none('bubblewrap is not installed; install the package "bubblewrap".');
  const tools = [...(await nodeTools()), ...(options.tools ?? [])];
  const sandbox = new Bubblewrap({ ...options, program, tools });
  const trial = { argv: ['/bin/sh', '-c', ':'], cwd: '/', env: {}, mounts: [] } as const;
  const { end, stderr } = await sandbox.run({ ...trial, timeoutMs: TRIAL_MS, maxOutputBytes: 2000 });
  if (end.kind === 'exited' && end.code === 0) return { sandbox, why: null };
  return none(`${program} does not work here (${stderr.trim() || end.kind}); allow unprivileged user namespaces.`);
}

async function findProgram(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter((part) => part !== '')) {
    const candidate = join(folder, name);
    if (await isThere(candidate, constants.X_OK)) return candidate;
  }
  return null;
}

/** Node, npm and what is installed with them, where they are not among the system's programs: under nvm, say. */
async function nodeTools(): Promise<string[]> {
  const programs = dirname(process.execPath);
  if (programs.startsWith('/usr/')) return [];
  const packages = join(dirname(programs), 'lib/node_modules');
  return (await isThere(packages, constants.R_OK)) ? [programs, packages] : [programs];
}

async function isThere(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
