import type { Oid } from '../../domain/issue/ids.js';
import { publishPlain } from '../../domain/sanitise/publish.js';
import type { Redact } from '../../domain/sanitise/redact.js';
import { GitHostError } from '../../ports/git-host.js';
import { type Git, gitText } from './git-process.js';
import { type NewCommit, newCommits } from './new-commits.js';

/** A commit as git stores it: header lines, then the message. */
interface StoredCommit {
  readonly oid: Oid;
  readonly header: readonly string[];
  readonly message: Buffer;
}

interface NewHistory {
  readonly tip: Oid;
  /** Commits that existed before; other people's messages are left alone. */
  readonly known: readonly Oid[];
  readonly redact?: Redact | undefined;
}

/** Header lines that a reworded commit keeps. A signature would no longer match, and an encoding could hide words. */
const KEPT = /^(?:tree|parent|author|committer) /;

/**
 * Rewrites a history so that no message skips CI, closes an issue or mentions anybody. Harmless commits stay unchanged, and the result is
 * deterministic.
 */
export async function withHarmlessMessages(git: Git, path: string, { tip, known, redact }: NewHistory): Promise<Oid> {
  const reworded = new Map<Oid, Oid>();
  for (const { oid, header, message } of await readCommits(git, path, await newCommits(git, path, tip, known))) {
    const said = harmless(message, redact);
    const moved = header.map((line) => withParent(line, reworded));
    const isSame = said.equals(message) && moved.every((line, index) => line === header[index]);
    if (isSame && !header.some((line) => line.startsWith('encoding '))) continue;
    const text = `${moved.filter((line) => KEPT.test(line)).join('\n')}\n\n`;
    const input = Buffer.concat([Buffer.from(text, 'latin1'), said]);
    reworded.set(oid, await gitText(git, path, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input }));
  }
  const now = reworded.get(tip);
  if (now === undefined) return tip;
  await gitText(git, path, ['update-ref', `refs/sluice-in/${now}`, now]);
  return now;
}

/** Invalid UTF-8 is written as the replacement characters a reader would see. */
function harmless(message: Buffer, redact: Redact | undefined): Buffer {
  const text = message.toString();
  const said = publishPlain(text, redact);
  return Buffer.from(said.trim() === '' && text !== said ? 'Work\n' : said);
}

function withParent(line: string, reworded: ReadonlyMap<Oid, Oid>): string {
  const parent = line.startsWith('parent ') ? reworded.get(line.slice('parent '.length)) : undefined;
  return parent === undefined ? line : `parent ${parent}`;
}

async function readCommits(git: Git, path: string, commits: readonly NewCommit[]): Promise<readonly StoredCommit[]> {
  if (commits.length === 0) return [];
  const oids = commits.map(({ oid }) => oid);
  const { exitCode, stdout, stderr } = await git(path, ['cat-file', '--batch'], { input: `${oids.join('\n')}\n` });
  if (exitCode !== 0) throw new GitHostError(`git cat-file failed with ${exitCode}: ${stderr}`, 'permanent');
  return parseCommits(stdout);
}

/** Parses `<oid> commit <size>`, the bytes and a newline, for each commit. */
function parseCommits(output: Buffer): readonly StoredCommit[] {
  const found: StoredCommit[] = [];
  for (let at = 0; at < output.length; ) {
    const start = output.indexOf('\n', at) + 1;
    const [oid = '', , size = ''] = output.toString('latin1', at, start).trimEnd().split(' ');
    const end = start + Number(size);
    const content = output.subarray(start, end);
    const blank = content.indexOf('\n\n');
    // A commit without a message has no empty line.
    const cut = blank === -1 ? content.length : blank;
    const header = content.toString('latin1', 0, cut).trimEnd().split('\n');
    found.push({ oid, header, message: content.subarray(Math.min(content.length, cut + 2)) });
    at = end + 1;
  }
  return found;
}
