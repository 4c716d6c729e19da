import type { Oid, RepoRef } from '../../domain/issue/ids.js';
import type { PushResult, RefPush } from '../../ports/git-host.js';
import { failureOf, isDenial, type Remote } from './remote.js';

/** One rejected ref of `git push --porcelain`. */
interface Rejection {
  readonly ref: string;
  /** Refused by the server, or not sent because the ref was not where we expected it. */
  readonly by: 'server' | 'lease';
  readonly reason: string;
}

/** Moves refs on GitHub atomically, each only from its expected oid. */
export async function pushRefs(
  remote: Remote,
  repo: RepoRef,
  path: string,
  refs: readonly RefPush[],
): Promise<PushResult> {
  const { exitCode, stdout, stderr } = await remote.run(repo, path, (url) => [
    'push',
    '--atomic',
    '--porcelain',
    '--no-verify',
    ...refs.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ''}`),
    url,
    ...refs.map(({ ref, to }) => `${to ?? ''}:${ref}`),
  ]);
  if (exitCode === 0) return { kind: 'pushed' };
  const rejections = parseRejections(stdout.toString());
  const [first] = rejections;
  if (first === undefined) {
    if (!isDenial(stderr)) throw failureOf(stderr);
    // GitHub also refuses tokens it created a moment ago, until they are known everywhere.
    const why = explanation('permission denied', stderr);
    return { kind: 'refused', ref: refs[0]?.ref ?? '', why, isPassing: true };
  }
  // A lost race, or our own push sent twice by curl, look like any refusal; only the refs can tell.
  const now = await remote.refs(
    repo,
    path,
    refs.map(({ ref }) => ref),
  );
  const at = (ref: string): Oid | null => now.get(ref) ?? null;
  if (refs.every(({ ref, to }) => at(ref) === to)) return { kind: 'pushed' };
  const moved = refs.filter(({ ref, expected }) => at(ref) !== expected).map(({ ref }) => ref);
  if (moved.length > 0) return { kind: 'lost', moved };
  const cause = rejections.find(({ reason }) => !reason.startsWith('atomic ')) ?? first;
  // The ref had moved and is back; try again.
  const isGone = cause.by === 'lease' || isPassing(cause.reason);
  return { kind: 'refused', ref: cause.ref, why: explanation(cause.reason, stderr), isPassing: isGone };
}

/** GitHub's reasons when it fails itself. The refs do not move, and the next try usually works. */
const PASSING =
  /^(?:failed|failure|internal server error|cannot lock ref\b.*|failed to update ref|fatal error in commit_refs)$/i;

/** Whether a refusal is temporary. */
export const isPassing = (reason: string): boolean => PASSING.test(reason);

/** Lines `!\t<from>:<to>\t[remote rejected] (reason)`. */
function parseRejections(porcelain: string): readonly Rejection[] {
  return porcelain.split('\n').flatMap((line) => {
    const [flag, refs = '', summary = ''] = line.split('\t');
    if (flag !== '!') return [];
    const [, by, reason = ''] =
      /^\[(remote rejected|remote failure|rejected|no match)\](?: \((.*)\))?$/.exec(summary) ?? [];
    return [
      {
        ref: refs.slice(refs.indexOf(':') + 1),
        by: by === 'rejected' ? ('lease' as const) : ('server' as const),
        reason,
      },
    ];
  });
}

/** The reason with the server's messages, e.g. GitHub's list of broken rules. */
function explanation(reason: string, stderr: string): string {
  const said = stderr
    .split('\n')
    .flatMap((line) => (line.startsWith('remote: ') ? [line.slice('remote: '.length).trim()] : []))
    .filter((line) => line !== '');
  return [reason, ...said].join('\n').slice(0, 2000);
}
