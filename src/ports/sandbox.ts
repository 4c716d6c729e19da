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
   * What the limit of disk is about: everything in the folders it may write to, or only what it adds. The latter is for saving the work
   * of a run that was ended because its folders were full.
   */
  readonly disk?: 'total' | 'growth';
  /** What it reads on stdin; without it stdin is empty. */
  readonly input?: string;
  readonly timeoutMs: number;
  /** More output than this (stdout and stderr each) is cut, oldest first. */
  readonly maxOutputBytes: number;
  /** Of what is cut, so many bytes from the very beginning are kept all the same. */
  readonly headBytes?: number;
  readonly signal?: AbortSignal;
  /** Called once it runs, with a way to look at it and all it has started. */
  readonly onStart?: (sample: () => ProcessSample) => void;
  /** Each line of stdout as it comes. */
  readonly onLine?: (line: string) => void;
}

/** What a process and everything it has started use, seen from outside. */
export interface ProcessSample {
  readonly processes: number;
  /** Processor time so far, that of ended children included. */
  readonly cpuMs: number;
  /** Memory held now; what they share is counted for each. */
  readonly rssMb: number;
}

/** How a sandboxed process ended. The first reason to end it wins. */
export type SandboxEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  /** It took more of the machine than it may. */
  | { readonly kind: 'limited'; readonly excess: Excess }
  /** It never started. */
  | { readonly kind: 'failed'; readonly why: string };

export interface SandboxResult {
  readonly end: SandboxEnd;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** Where everything that runs code of a repository runs: the agent, setup, tests, verify commands. */
export interface Sandbox {
  /** What kind of walls these are, said once at start-up and shown in reports. */
  readonly name: 'bubblewrap' | 'none';
  /** What holds commands back here. */
  readonly guards: readonly Guard[];
  /** Runs a process and everything it starts; when this resolves, none of them is left. */
  run(command: SandboxedCommand): Promise<SandboxResult>;
  /** Ends what a service that is no more has left behind on this machine: at start-up, and now and then. How many there were. */
  sweepLeftovers(): number;
}
