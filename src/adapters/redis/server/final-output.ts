import type { ChildProcess } from 'node:child_process';

const KEPT = 2_000;

/** Resolves when a process has ended, with the end of what it printed. */
export function finalOutput(child: ChildProcess): Promise<string> {
  const words: { text: string } = { text: '' };
  const keep = (chunk: Buffer): void => {
    words.text = (words.text + chunk.toString('utf8')).slice(-KEPT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.stdin?.on('error', () => undefined);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(words.text));
  });
}
