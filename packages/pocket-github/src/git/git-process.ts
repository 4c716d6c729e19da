import { join } from 'node:path';

/** How long any git process may take, unless a caller says otherwise. */
export const DEFAULT_DEADLINE_MS = 5 * 60_000;

/** What ends a process that serves a client, and the protocol version its client asked for. */
export interface GitLimits {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly protocol: string | undefined;
}

/** Below each repository: an empty home, so that nobody's own git settings leak in. */
export const homeOf = (path: string): string => join(path, 'home');

/** Everything a git process gets to see of our environment. */
function gitEnvironment(path: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: homeOf(path),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    // A pushed refs/replace/* must not change what anybody else reads.
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

/** How every git process is run. Endings are values: a failed or killed process resolves too. */
export function gitOptions(path: string, env: Readonly<Record<string, string>> = {}) {
  return {
    reject: false,
    extendEnv: false,
    env: { ...gitEnvironment(path), ...env },
    cwd: path,
    stripFinalNewline: false,
    // SIGTERM lets git remove its lock files; only a process that ignores it is killed.
    forceKillAfterDelay: 5_000,
  } as const;
}

/** How a git process that serves a client is run. */
export function servingOptions(path: string, { deadlineMs, signal, protocol }: GitLimits) {
  const env: Record<string, string> = protocol === undefined ? {} : { GIT_PROTOCOL: protocol };
  return { ...gitOptions(path, env), timeout: deadlineMs, cancelSignal: signal } as const;
}
