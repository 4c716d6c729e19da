import { constants } from 'node:fs';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Which transcripts are kept after their run. */
export interface TranscriptPolicy {
  readonly keep: 'none' | 'failed' | 'all';
  readonly folder: string;
  /** Removes secrets. */
  readonly redact: (text: string) => string;
}

export interface FinishedRun {
  readonly home: string;
  readonly phaseRun: string;
  readonly sessions: readonly string[];
  readonly hasSucceeded: boolean;
}

/** Longer ones are cut at the start: the end matters most. */
const MAX_BYTES = 20 * 2 ** 20;
/** The CLI makes one folder for its checkout. An agent could make thousands, each with a huge sparse file. */
const MOST_FOLDERS = 20;
/** The files are the agent's: links are not followed, and a pipe does not block us. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Copies a run's transcripts out of its home before the home is removed. */
export async function keepTranscripts(policy: TranscriptPolicy, run: FinishedRun): Promise<void> {
  if (policy.keep === 'none' || (policy.keep === 'failed' && run.hasSucceeded)) return;
  const projects = join(run.home, '.claude', 'projects');
  const found = await readdir(projects, { withFileTypes: true }).catch(() => []);
  const inside = found.filter((entry) => entry.isDirectory()).slice(0, MOST_FOLDERS);
  const folders = inside.map((entry) => join(projects, entry.name));
  const target = join(policy.folder, run.phaseRun.replaceAll(/[^\w.-]/g, '_'));
  for (const session of run.sessions) {
    for (const folder of folders) {
      const text = await readTail(join(folder, `${session}.jsonl`));
      if (text === null) continue;
      await mkdir(target, { recursive: true, mode: 0o700 });
      await writeFile(join(target, `${session}.jsonl`), policy.redact(text), { mode: 0o600 });
      break;
    }
  }
}

async function readTail(path: string): Promise<string | null> {
  const file = await open(path, FLAGS).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile()) return null;
    const length = Math.min(found.size, MAX_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, found.size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
