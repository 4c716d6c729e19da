import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sandbox, SandboxedCommand, SandboxResult } from '../../ports/sandbox.js';
import { runContained, type Subprocess } from './contained-process.js';
import type { Leash, Limits } from './leash.js';
import { processesWith, signalProcess } from './proc.js';
import { newRunTag, RUN_TAG, sweepTagged } from './run-tag.js';

/** Looks after which a process that never shows whose it is counts as somebody else's. */
const MAX_UNSURE = 500;

/** No walls: plain processes of the host. Only good for code one trusts. */
export class Unsandboxed implements Sandbox {
  readonly name = 'none';
  readonly #limits: Limits;
  readonly #running = new Set<string>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  async run(command: SandboxedCommand): Promise<SandboxResult> {
    const [file, ...args] = command.argv;
    const tag = newRunTag();
    const env = { ...command.env, [RUN_TAG]: tag };
    this.#running.add(tag);
    try {
      return await runContained(
        command,
        { file, args, env, cwd: command.cwd },
        (subprocess) => new TagLeash(subprocess, `${RUN_TAG}=${tag}`),
        this.#limits,
      );
    } finally {
      this.#running.delete(tag);
    }
  }

  sweepLeftovers(): number {
    return sweepTagged((tag) => this.#running.has(tag));
  }
}

/** Holds processes by a tag in their environment, which also those have that left the group and the session. */
class TagLeash implements Leash {
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
    // Again until none is found for sure: one may have started another while we looked.
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
