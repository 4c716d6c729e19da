import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitHost } from '../../src/ports/git-host.js';
import type { Clone, CloneRequest, Workspace } from '../../src/ports/workspace.js';
import { DIARY, WORK_FILE } from './crash-agent.js';

/** The files the crash world is about, and nothing else. */
const FILES = [WORK_FILE, DIARY, 'README.md'] as const;

/** Clones without processes: a hundred recoveries open a thousand of them. The real ones have suites of their own. */
export function crashWorkspace(gitHost: GitHost, folder: string): Workspace {
  return { open: (request) => open(gitHost, folder, request) };
}

async function open(gitHost: GitHost, folder: string, { ref, at, signal }: CloneRequest): Promise<Clone> {
  signal.throwIfAborted();
  const path = await mkdtemp(join(folder, 'clone-'));
  const text = (file: string): Promise<string | null> => readFile(join(path, file), 'utf8').catch(() => null);
  const checkedOut = new Map<string, string | null>();
  for (const file of FILES) {
    const content = await gitHost.readFile(ref, at, file);
    checkedOut.set(file, content);
    if (content !== null) await writeFile(join(path, file), content);
  }
  return {
    path,
    home: path,
    mounts: [],
    run: async () => ({ passed: true, output: '' }),
    check: async (command) => {
      if (command.kind !== 'file_contains') throw new Error(`the crash world has no ${command.kind}`);
      return {
        passed: (await text(command.path))?.includes(command.text) ?? false,
        output: `looked at ${command.path}`,
      };
    },
    collect: async (message) => {
      const files: Record<string, string> = {};
      for (const file of FILES) {
        const content = await text(file);
        if (content !== null) files[file] = content;
      }
      if (FILES.every((file) => (files[file] ?? null) === checkedOut.get(file))) return null;
      return gitHost.writeCommit(ref, { files, parent: at, message });
    },
    dispose: () => rm(path, { recursive: true, force: true }),
  };
}
