import type { Oid } from '../../domain/issue/ids.js';
import { type Git, gitText } from './git-process.js';

/* Commits that GitHub refuses, under refs of their own in the mirror. Nothing fetches or prunes these refs. */

const FOLDER = 'refs/sluice-kept/';
/** Excess and old refs are removed, but never the newest. */
const MOST = 50;
const LONGEST_MS = 30 * 24 * 60 * 60_000;

/** A commit that is to be kept. */
interface Keeping {
  readonly name: string;
  readonly commit: Oid;
  readonly now: number;
}

/** Creates a ref whose name begins with the time, and removes old refs. A commit that has a ref keeps it. */
export async function keepCommit(git: Git, path: string, { name, commit, now }: Keeping): Promise<string> {
  const kept = await keptCommits(git, path);
  const known = kept.find((one) => one.commit === commit);
  if (known !== undefined) return known.ref;
  const ref = `${FOLDER}${now}-${name}`;
  const newest = [...kept].sort((one, other) => other.at - one.at);
  const old = newest.filter(({ at }, index) => index >= MOST - 1 || now - at > LONGEST_MS);
  for (const one of old) await gitText(git, path, ['update-ref', '-d', one.ref]);
  await gitText(git, path, ['update-ref', ref, commit]);
  return ref;
}

async function keptCommits(git: Git, path: string) {
  const lines = await gitText(git, path, ['for-each-ref', '--format=%(refname) %(objectname)', FOLDER]);
  return lines.split('\n').flatMap((line) => {
    const [ref = '', commit = ''] = line.split(' ');
    // The agent chose the commit's date; the date in the name is ours.
    const at = Number(/^\d+/.exec(ref.slice(FOLDER.length))?.[0] ?? 0);
    return ref === '' ? [] : [{ ref, commit, at }];
  });
}
