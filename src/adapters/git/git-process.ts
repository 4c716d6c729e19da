import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { GitHostError } from '../../ports/git-host.js';

/** No setting of this machine or of a repository may make our git run a program or use another protocol. */
const CONFIG: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  // Clones borrow the mirror's objects, so none may be removed.
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  'credential.helper': '',
  'http.followRedirects': 'initial',
  'transfer.credentialsInUrl': 'die',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
};

export interface GitCommandOptions {
  readonly input?: string | Uint8Array | Readable;
  readonly env?: Readonly<Record<string, string>>;
  /** More settings, passed by environment so that they show neither in the process list nor on disk. */
  readonly config?: Readonly<Record<string, string>>;
  readonly maxOutputBytes?: number;
  /** The most this process may use; unlimited by default. */
  readonly use?: ProcessUse;
}

/** Limits enforced by the kernel. */
export interface ProcessUse {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

/** Where the shell lacks this limit, only the deadline applies. */
const LIMITED = 'ulimit -t "$1"; ulimit -d "$2" 2>/dev/null || true; shift 2; exec git "$@"';

/** How a git process ended by itself. */
export interface GitEnd {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git in the bare repository at `path`. */
export type Git = (path: string, args: readonly string[], options?: GitCommandOptions) => Promise<GitEnd>;

export function createGit({ home, deadlineMs }: { readonly home: string; readonly deadlineMs: number }): Git {
  return async (path, args, { input = '', env = {}, config = {}, maxOutputBytes = 100_000_000, use } = {}) => {
    const [program, ...all] = argvOf([`--git-dir=${path}`, ...args], use);
    const result = await execa(program, all, {
      reject: false,
      extendEnv: false,
      env: { ...environment(home), ...configByEnvironment({ ...CONFIG, ...config }), ...env },
      cwd: home,
      input,
      encoding: 'buffer',
      stripFinalNewline: false,
      maxBuffer: maxOutputBytes,
      timeout: deadlineMs,
      // SIGTERM lets git remove its lock files; only a process that ignores it is killed.
      forceKillAfterDelay: 5_000,
    });
    const command = `git ${args[0] ?? ''}`;
    if (result.isMaxBuffer)
      throw new GitHostError(`${command} printed more than ${maxOutputBytes} bytes.`, 'permanent');
    if (result.timedOut) throw new GitHostError(`${command} did not finish within ${deadlineMs} ms.`, 'transient');
    if (result.exitCode === undefined)
      throw new GitHostError(`${command} ended early: ${result.shortMessage}`, 'transient');
    return {
      exitCode: result.exitCode,
      stdout: Buffer.from(result.stdout),
      stderr: Buffer.from(result.stderr).toString().trim(),
    };
  };
}

function argvOf(args: readonly string[], use: ProcessUse | undefined): readonly [string, ...string[]] {
  if (use === undefined) return ['git', ...args];
  const limits = [String(use.cpuSeconds), String(Math.floor(use.memoryBytes / 1024))];
  return ['sh', '-c', LIMITED, 'git', ...limits, ...args];
}

/** Runs a command that must succeed. Returns its output without the final newline. */
export async function gitText(
  git: Git,
  path: string,
  args: readonly string[],
  options?: GitCommandOptions,
): Promise<string> {
  const { exitCode, stdout, stderr } = await git(path, args, options);
  if (exitCode !== 0) throw new GitHostError(`git ${args[0] ?? ''} failed with ${exitCode}: ${stderr}`, 'permanent');
  return stdout.toString().replace(/\n$/, '');
}

function environment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

function configByEnvironment(config: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(config);
  const pairs = entries.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(pairs) };
}
