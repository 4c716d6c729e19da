import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { execa } from 'execa';
import type { VerifyCommand } from '../../../src/domain/criteria/criterion.js';
import type { Oid } from '../../../src/domain/issue/ids.js';
import type { Clone, CloneRequest, CommandOutcome, Workspace } from '../../../src/ports/workspace.js';
import type { GitDouble } from './git-double.js';

/** What a reopened folder must remember. */
interface Notes {
  readonly start: Oid;
  /** The last commit made of it. */
  readonly tip: Oid;
}

/** A file beside the checkout with the merged commit, like `MERGE_HEAD`. */
export const MERGED_WITH = 'merged-with';

export interface WorkspaceDoubleOptions {
  readonly gitHost: GitDouble;
  readonly folder: string;
}

/** Clones without git and without a sandbox: plain folders. A hundred recoveries open a thousand of them. */
export function workspaceDouble(options: WorkspaceDoubleOptions): Workspace {
  return {
    open: async (request) => {
      request.signal.throwIfAborted();
      const root = join(options.folder, request.phaseRun);
      const clone = new FolderClone(options.gitHost, request, root);
      if (!existsSync(root)) await clone.checkOut();
      return clone;
    },
  };
}

class FolderClone implements Clone {
  readonly path: string;
  readonly home: string;
  readonly mounts = [];
  readonly #gitHost: GitDouble;
  readonly #request: CloneRequest;
  readonly #root: string;

  constructor(gitHost: GitDouble, request: CloneRequest, root: string) {
    this.#gitHost = gitHost;
    this.#request = request;
    this.#root = root;
    this.path = join(root, 'clone');
    this.home = join(root, 'home');
  }

  async checkOut(): Promise<void> {
    const { ref, at } = this.#request;
    const files = await this.#gitHost.filesOf(ref, at);
    await mkdir(this.path, { recursive: true });
    await mkdir(this.home);
    for (const path of files.keys()) {
      await mkdir(dirname(join(this.path, path)), { recursive: true });
      await writeFile(join(this.path, path), (await this.#gitHost.readFile(ref, at, path)) ?? '');
    }
    await this.#note({ start: at, tip: at });
  }

  async run(command: string, signal: AbortSignal): Promise<CommandOutcome> {
    signal.throwIfAborted();
    // Runs without a process, because thousands of clones are tested.
    if (command === 'true') return { passed: true, output: '' };
    return execute(this.path, ['sh', '-c', `exec 2>&1\n${command}`]);
  }

  async check(command: VerifyCommand, signal: AbortSignal): Promise<CommandOutcome> {
    if (command.kind === 'command') return this.run(command.run, signal);
    const text = await readFile(join(this.path, command.path), 'utf8').catch(() => null);
    const output = `looked at ${command.path}`;
    if (text === null) return { passed: false, output };
    switch (command.kind) {
      case 'file_exists':
        return { passed: true, output };
      case 'file_contains':
        return { passed: text.includes(command.text), output };
      case 'grep':
        return execute(this.path, ['grep', '-E', '-e', command.pattern, '--', command.path]);
    }
  }

  async collect(message: string, signal: AbortSignal): Promise<Oid | null> {
    signal.throwIfAborted();
    const { ref } = this.#request;
    const { start, tip } = await this.#notes();
    const merged = await readFile(join(this.#root, MERGED_WITH), 'utf8').catch(() => null);
    const texts = await textsBelow(this.path);
    const collected = (await this.#gitHost.commitCheckout(ref, texts, { parent: tip, merged, message })) ?? tip;
    await rm(join(this.#root, MERGED_WITH), { force: true });
    await this.#note({ start, tip: collected });
    return collected === start ? null : collected;
  }

  dispose(): Promise<void> {
    return rm(this.#root, { recursive: true, force: true });
  }

  async #note(notes: Notes): Promise<void> {
    await writeFile(join(this.#root, 'notes.json'), JSON.stringify(notes));
  }

  async #notes(): Promise<Notes> {
    return JSON.parse(await readFile(join(this.#root, 'notes.json'), 'utf8')) as Notes;
  }
}

/** All files below a folder, by their path from there. */
async function textsBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return new Map(files.map((file, index) => [relative(folder, file), texts[index] ?? '']));
}

async function execute(cwd: string, [program = '', ...args]: readonly string[]): Promise<CommandOutcome> {
  const { exitCode, stdout } = await execa(program, args, { cwd, reject: false, stripFinalNewline: false });
  return { passed: exitCode === 0, output: exitCode === 0 ? stdout : `${stdout}(exit code ${exitCode ?? 'none'})` };
}
