/** What one command and all its processes may use of the machine together. */
export interface SandboxLimits {
  readonly memoryMb: number;
  readonly processes: number;
  /** Size of all files in its writable folders. */
  readonly diskMb: number;
  readonly files: number;
  /** The largest file it may write. */
  readonly fileMb: number;
  /** Files one process may have open. */
  readonly openFiles: number;
  /** Each of `/tmp` and `/dev/shm`, which are kept in memory and come on top of `memoryMb`. */
  readonly tmpMb: number;
}

/**
 * Enough for the builds of most repositories (a type checker takes 2 GB, a bundler with workers 3 GB, `node_modules` of a large front
 * end 100,000 files), and little enough that one run alone does not bring down a machine of 8 GB.
 */
export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = {
  memoryMb: 4_096,
  processes: 1_024,
  diskMb: 10_240,
  files: 500_000,
  fileMb: 2_048,
  openFiles: 8_192,
  tmpMb: 1_024,
};

/** Threads cost the machine nearly as much as processes; programs rarely have more than this many each. */
export const THREADS_PER_PROCESS = 8;

export type LimitName = 'memory' | 'processes' | 'threads' | 'disk' | 'files' | 'depth' | 'file-size' | 'open-files';

/** One limit that was exceeded. */
export interface Excess {
  readonly limit: LimitName;
  /** What was measured. More may have been used until the command was ended. */
  readonly used: number;
  readonly allowed: number;
}
