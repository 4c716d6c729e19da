import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sandbox, SandboxedCommand, SandboxResult } from '../../ports/sandbox.js';
import { runContained, type Subprocess } from './process/run-contained.js';
import { findProgram } from './find-program.js';
import type { ProcessTree, ProcessLimits } from './process/process-tree.js';
import { processesWith, signalProcess } from './process/proc.js';
import { ResourceWatch } from './limits/resource-watch.js';
import { RunTags } from './process/run-tag.js';

/** Checks after which a process that cannot be identified counts as somebody else's. */
const MAX_UNSURE = 500;

/** No sandbox: plain processes of the host. Only for trusted code. */
export class Unsandboxed implements Sandbox {
  readonly name = 'none';
  readonly guards = ['rlimits', 'watcher'] as const;
  readonly #limits: ProcessLimits;
  readonly #watch = new ResourceWatch();
  readonly #tags = new RunTags();

  constructor(limits: ProcessLimits) {
    this.#limits = limits;
  }

  async run(command: SandboxedCommand): Promise<SandboxResult> {
    const [file, ...args] = command.argv;
    // A shell stands between us and the program, and would tell of a missing one in its own way.
    if ((await findProgram(file, command.env['PATH'] ?? DEFAULT_PATH)) === null)
      return {
        end: { kind: 'failed', why: `There is no program ${file} (ENOENT).` },
        stdout: '',
        stderr: '',
        durationMs: 0,
      };
    const { tag, entry, env } = this.#tags.begin(command.env);
    const hold = { ...this.#limits, watch: this.#watch, group: null };
    try {
      const launch = { file, args, env, cwd: command.cwd };
      return await runContained(command, launch, (subprocess) => new TagProcessTree(subprocess, entry), hold);
    } finally {
      this.#tags.end(tag);
    }
  }

  sweepLeftovers(): number {
    return this.#tags.sweep();
  }
}

/** A shell's default PATH. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Holds processes by a tag in their environment, which also those have that left the group and the session. */
class TagProcessTree implements ProcessTree {
  readonly #subprocess: Subprocess;
  readonly #entry: string;

  constructor(subprocess: Subprocess, entry: string) {
    this.#subprocess = subprocess;
    this.#entry = entry;
  }

  async terminate(): Promise<void> {
    this.#subprocess.kill('SIGTERM');
  }

  async kill(): Promise<void> {
    await this.reap();
  }

  async reap(): Promise<void> {
    // Repeated until none is found for certain, because one may start another meanwhile.
    for (let unsure = 0; unsure < MAX_UNSURE; ) {
      const { found, isUnsure } = processesWith((entry) => entry === this.#entry);
      if (found.length === 0 && !isUnsure) return;
      for (const pid of found) signalProcess(pid, 'SIGKILL');
      unsure = found.length === 0 ? unsure + 1 : 0;
      await nextTurn();
    }
  }

  wasExecuted(): boolean {
    return true;
  }
}
