import { constants } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Sandbox } from '../../ports/sandbox.js';
import { Bubblewrap, type BubblewrapOptions, OPTIONAL_GUARDS, type OptionalGuard } from './bubblewrap.js';
import { findProgram, isThere } from './find-program.js';
import type { ProcessLimits } from './process/process-tree.js';
import { createRunGroups, groupsProblem } from './limits/run-groups.js';
import { Unsandboxed } from './unsandboxed.js';

export interface DetectOptions extends ProcessLimits {
  /** Where programs are looked for: the value of PATH. */
  readonly path: string;
  /** More of the host to show read-only to every command, besides the Node that runs us. */
  readonly tools?: readonly string[];
  /** A cgroup that the operator delegated to us. */
  readonly cgroup?: string | undefined;
}

export interface DetectedSandbox {
  readonly sandbox: Sandbox;
  /** Why there is no sandbox, and what to do; `null` when there is one. */
  readonly why: string | null;
  /** Why the operator's cgroup is not used; `null` when it is, or when there is none. */
  readonly cgroupProblem: string | null;
}

const TRIAL_MS = 10_000;

/** The best sandbox of this machine, tested and not only found. */
export async function detectSandbox(options: DetectOptions): Promise<DetectedSandbox> {
  const { cgroup } = options;
  const cgroupProblem = cgroup === undefined ? null : await groupsProblem(cgroup);
  const none = (why: string): DetectedSandbox => ({ sandbox: new Unsandboxed(options), why, cgroupProblem });
  const program = await findProgram('bwrap', options.path);
  if (program === null) return none('bubblewrap is not installed; install the package "bubblewrap".');
  const tools = [...(await nodeTools()), ...(options.tools ?? [])];
  const groups = cgroup === undefined || cgroupProblem !== null ? {} : { groups: createRunGroups(cgroup) };
  const common = { ...options, ...groups, program, tools };
  const optional = await workingGuards(common);
  const sandbox = new Bubblewrap({ ...common, optional });
  const complaint = await complaintOf(sandbox);
  if (complaint === null) return { sandbox, why: null, cgroupProblem };
  return none(`${program} does not work here (${complaint}); allow unprivileged user namespaces.`);
}

/** The optional guards that work. If all together fail, each is tried alone. */
async function workingGuards(options: BubblewrapOptions): Promise<readonly OptionalGuard[]> {
  if ((await complaintOf(new Bubblewrap(options))) === null) return OPTIONAL_GUARDS;
  const working: OptionalGuard[] = [];
  for (const guard of OPTIONAL_GUARDS)
    if ((await complaintOf(new Bubblewrap({ ...options, optional: [guard] }))) === null) working.push(guard);
  return working;
}

/** Why commands do not run in it; `null` when they do. */
async function complaintOf(sandbox: Sandbox): Promise<string | null> {
  const trial = { argv: ['/bin/sh', '-c', ':'], cwd: '/', env: {}, mounts: [] } as const;
  const { end, stderr } = await sandbox.run({ ...trial, timeoutMs: TRIAL_MS, maxOutputBytes: 2000 });
  return end.kind === 'exited' && end.code === 0 ? null : stderr.trim() || end.kind;
}

/** Node, npm and what is installed with them, where they are not among the system's programs: under nvm, say. */
async function nodeTools(): Promise<string[]> {
  const programs = dirname(process.execPath);
  if (programs.startsWith('/usr/')) return [];
  const packages = join(dirname(programs), 'lib/node_modules');
  return (await isThere(packages, constants.R_OK)) ? [programs, packages] : [programs];
}
