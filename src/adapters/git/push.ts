import type { Oid, RepoRef } from '../../domain/issue/ids.js';
import type { PushResult, RefPush } from '../../ports/git-host.js';
import { failureOf, isDenial, type Remote } from './remote.js';

/** One rejected ref of `git push --porcelain`. */
interface Rejection {
  readonly ref: string;
  /** Refused by the server, or not even sent because the ref was elsewhere. */
  readonly by: 'server' | 'lease';
  readonly reason: string;
}

/** Moves refs on GitHub, all or none, each only from where it is expected. */
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
    // GitHub also turns a token away that it made a moment ago and does not know everywhere yet.
    const why = explanation('permission denied', stderr);
    return { kind: 'refused', ref: refs[0]?.ref ?? '', why, isPassing: true };
  }
  // A lost race, and our own push that curl sent twice, look like any other refusal: only the refs can tell.
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
  // The ref was elsewhere when git looked, and is back where it was expected: the next try will tell.
  const isGone = cause.by === 'lease' || isPassing(cause.reason);
  return { kind: 'refused', ref: cause.ref, why: explanation(cause.reason, stderr), isPassing: isGone };
}

/** What GitHub says of a ref when it fails itself. Refs do not move then, and the next try usually works. */
const PASSING =
  /^(?:failed|failure|internal server error|cannot lock ref\b.*|failed to update ref|fatal error in commit_refs)$/i;

/** Whether the reason a server gives for refusing a ref is about the moment only. */
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

/** The reason, and what the server said about it, e.g. GitHub's list of broken rules. */
function explanation(reason: string, stderr: string): string {
  const said = stderr
    .split('\n')
    .flatMap((line) => (line.startsWith('remote: ') ? [line.slice('remote: '.length).trim()] : []))
    .filter((line) => line !== '');
  return [reason, ...said].join('\n').slice(0, 2000);
}
