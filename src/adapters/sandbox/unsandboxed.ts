import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sandbox, SandboxedCommand, SandboxResult } from '../../ports/sandbox.js';
import { runContained, type Subprocess } from './contained-process.js';
import type { Leash, Limits } from './leash.js';
import { processesWith, signalProcess } from './proc.js';

/** Every process of a run inherits this; by it they are found again, wherever they have moved to. */
const TAG = 'SLUICE_RUN_TAG';

/** Looks after which a process that never shows whose it is counts as somebody else's. */
const MAX_UNSURE = 500;

/** No walls: plain processes of the host. Only good for code one trusts. */
export class Unsandboxed implements Sandbox {
  readonly name = 'none';
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  async run(command: SandboxedCommand): Promise<SandboxResult> {
    const [file, ...args] = command.argv;
    const tag = randomUUID();
    const env = { ...command.env, [TAG]: tag };
    return runContained(
      command,
      { file, args, env, cwd: command.cwd },
      (subprocess) => new TagLeash(subprocess, `${TAG}=${tag}`),
      this.#limits,
    );
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
      const { found, isUnsure } = processesWith(this.#entry);
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
