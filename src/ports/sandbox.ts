import type { Excess } from '../domain/limits/sandbox-limits.js';
import type { Guard } from '../domain/render/phrases/sandbox-limits.js';

/** A folder, file or socket the process inside may see, at the same path. */
export interface Mount {
  readonly path: string;
  readonly access: 'read' | 'write';
}

export interface SandboxedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /**
   * What the disk limit covers: everything in its writable folders, or only what it adds. The latter is for saving the work
   * of a run that was ended because its folders were full.
   */
  readonly disk?: 'total' | 'growth';
  /** What it reads on stdin; without it stdin is empty. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** More output than this (stdout and stderr each) is cut, oldest first. */
  readonly maxOutputBytes: number;
  /** This many bytes from the beginning are kept even if the rest is cut. */
  readonly headBytes?: number;
  readonly signal?: AbortSignal;
  /** Called once it runs, with a function that measures it and all its child processes. */
  readonly onStart?: (sample: () => ProcessSample) => void;
  /** Each line of stdout as it comes. */
  readonly onLine?: (line: string) => void;
}

/** What a process and all its children use, measured from outside. */
export interface ProcessSample {
  readonly processes: number;
  /** Processor time so far, that of ended children included. */
  readonly cpuMs: number;
  /** Current memory. Shared memory is counted for each process. */
  readonly rssMb: number;
}

/** How a sandboxed process ended. The first reason to end it counts. */
export type SandboxEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  /** It exceeded a sandbox limit. */
  | { readonly kind: 'limited'; readonly excess: Excess }
  /** It never started. */
  | { readonly kind: 'failed'; readonly why: string };

export interface SandboxResult {
  readonly end: SandboxEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** Runs all programs that execute code of a repository: the agent, setup, tests, verify commands. */
export interface Sandbox {
  /** The kind of sandbox, logged at start-up and shown in reports. */
  readonly name: 'bubblewrap' | 'none';
  /** The guards that are active on this machine. */
  readonly guards: readonly Guard[];
  /** Runs a process with all its children. When this resolves, none of them is left. */
  run(command: SandboxedCommand): Promise<SandboxResult>;
  /** Ends processes that a dead service left on this machine, and returns how many. Called at start-up and regularly. */
  sweepLeftovers(): number;
}
