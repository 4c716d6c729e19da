import { execa } from 'execa';
import type { Oid } from '../world/model.js';
import { DEFAULT_DEADLINE_MS, gitOptions } from './git-process.js';

/** A git command ended in a way its caller did not expect. */
export class GitCommandError extends Error {
  constructor(args: readonly string[], ending: string, stderr: string) {
    super(`git ${args.join(' ')} ${ending}: ${stderr.trim() || 'no message'}`);
    this.name = 'GitCommandError';
  }
}

export interface GitCommandOptions {
  readonly input?: Buffer | string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are answers, not errors. */
  readonly accept?: readonly number[];
}

export interface GitCommandResult {
  readonly exitCode: number;
  readonly stdout: Buffer;
}

/** Runs short git commands in one repository, each with a deadline, all stopped by `close`. */
export class GitCommands {
  readonly path: string;
  readonly #deadlineMs: number;
  readonly #closing = new AbortController();

  constructor(path: string, deadlineMs = DEFAULT_DEADLINE_MS) {
    this.path = path;
    this.#deadlineMs = deadlineMs;
  }

  async run(
    args: readonly string[],
    { input = '', env = {}, accept = [0] }: GitCommandOptions = {},
  ): Promise<GitCommandResult> {
    if (this.#closing.signal.aborted) throw new GitCommandError(args, 'was not started', 'the repository is closed');
    const result = await execa('git', [`--git-dir=${this.path}`, ...args], {
      ...gitOptions(this.path, env),
      input,
      encoding: 'buffer',
      timeout: this.#deadlineMs,
      cancelSignal: this.#closing.signal,
    });
    const { exitCode } = result;
    if (exitCode === undefined || !accept.includes(exitCode)) {
      const ending =
        exitCode === undefined ? `did not finish (${result.shortMessage ?? 'killed'})` : `failed with ${exitCode}`;
      throw new GitCommandError(args, ending, Buffer.from(result.stderr).toString());
    }
    return { exitCode, stdout: Buffer.from(result.stdout) };
  }

  /** What the command printed, without the final newline. */
  async text(args: readonly string[], options?: GitCommandOptions): Promise<string> {
    const { stdout } = await this.run(args, options);
    return stdout.toString().replace(/\n$/, '');
  }

  /** The object id the command printed; `null` when it ended with exit code 1, git's way to say "none". */
  async oidOrNull(args: readonly string[], options?: Pick<GitCommandOptions, 'env'>): Promise<Oid | null> {
    const { exitCode, stdout } = await this.run(args, { ...options, accept: [0, 1] });
    return exitCode === 0 ? stdout.toString().slice(0, 40) : null;
  }

  /** Exit code 0 is yes, 1 is no. */
  async test(args: readonly string[], options?: Pick<GitCommandOptions, 'env'>): Promise<boolean> {
    return (await this.run(args, { ...options, accept: [0, 1] })).exitCode === 0;
  }

  close(): void {
    this.#closing.abort();
  }
}
