import { randomBytes } from 'node:crypto';
import { formatIssue, type Oid, stateRefName } from '../../domain/issue/ids.js';
import type { StateReading } from '../../domain/state/snapshot.js';
import { boundState } from '../../domain/state/bounded-state.js';
import { type Redact, redactDeep, redactPatterns } from '../../domain/sanitise/redact.js';
import { type CommitFacts, type GitHost, GitHostError, type PushResult, type RefPush } from '../../ports/git-host.js';
import { WRITE_WITHIN_MS } from '../../ports/github.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { HistoryEntry, StateStore, StateSubject, Swap, SwapResult } from '../../ports/state-store.js';
import { formatState, parseState, type Signing } from './state-text.js';
import { formatSubject } from './subject-line.js';

export interface StateRefOptions {
  readonly gitHost: GitHost;
  readonly signing: Signing;
  /** The name of this instance, as in leases. */
  readonly owner: string;
  /** Removes secrets: everybody who can read the repository can read a state. */
  readonly redact?: Redact;
  readonly clock: Clock;
  readonly log: Log;
}

const FILE = 'state.json';
const LONGEST_HISTORY = 1000;
/** After a lost answer the ref is read; if the push did not happen it is sent once more. */
const PUSHES = 2;
/** Pauses before a temporarily refused push is repeated; half of each is random. */
const PAUSES_MS = [400, 1_000, 2_000, 3_000];

/** Only the first parent is signed. With a second parent an old state could be put on top of the newest. */
const MERGED = 'its commit has more than one parent, which no state of ours has';

/** A file that git can never read, such as one of a gigabyte, is not a state. */
function nullWhenLasting(error: unknown): null {
  if (error instanceof GitHostError && error.retry === 'permanent') return null;
  throw error;
}

/** Stores the state of an issue as commits on its own ref. */
export function createStateStore({
  gitHost,
  signing,
  owner,
  redact = redactPatterns,
  clock,
  log,
}: StateRefOptions): StateStore {
  const readCommit = async (subject: StateSubject, { oid, parent, isMerge }: CommitFacts): Promise<StateReading> => {
    if (isMerge) return { kind: 'unverifiable', oid, why: MERGED };
    const text = await gitHost.readFile(subject.ref, oid, FILE).catch(nullWhenLasting);
    return { ...parseState(text ?? '', { subject, parent }, signing), oid };
  };

  /** The ref as git has it. */
  const fetchTip = async ({ ref }: StateSubject): Promise<Oid | null> => {
    const name = stateRefName(ref.number);
    return (await gitHost.fetch(ref, [name])).get(name) ?? null;
  };

  const readTip = async (subject: StateSubject): Promise<StateReading> => {
    const tip = await fetchTip(subject);
    if (tip === null) return { kind: 'none' };
    const [commit] = await gitHost.log(subject.ref, tip, 1);
    return commit === undefined
      ? { kind: 'unverifiable', oid: tip, why: 'its ref does not point at a commit' }
      : readCommit(subject, commit);
  };

  /** The commit a swap builds on, fetched if another instance wrote it. */
  const predecessor = async (subject: StateSubject, expected: Oid | null): Promise<CommitFacts | 'none' | 'moved'> => {
    if (expected === null) return 'none';
    const [known] = await gitHost.log(subject.ref, expected, 1);
    if (known !== undefined) return known;
    if ((await fetchTip(subject)) !== expected) return 'moved';
    // Anybody with push access may put anything there: what is not a commit is replaced.
    const [fetched = 'none' as const] = await gitHost.log(subject.ref, expected, 1);
    return fetched;
  };

  /** Pushes and, when the answer is lost, reads whether it happened. */
  const pushOnce = async ({ subject, expected }: Swap, oid: Oid, refs: readonly RefPush[]): Promise<PushResult> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await gitHost.push(subject.ref, refs);
      } catch (error) {
        if (!(error instanceof GitHostError) || error.retry !== 'transient') throw error;
        log.warn({ issue: formatIssue(subject.ref), attempt, error: error.message }, 'state push unanswered');
        const tip = await fetchTip(subject);
        if (tip === oid) return { kind: 'pushed' };
        if (tip !== expected) return { kind: 'lost', moved: [stateRefName(subject.ref.number)] };
        if (attempt === PUSHES) throw error;
      }
    }
  };

  /** GitHub refuses some pushes temporarily, most often during another push to the same repository: those are repeated. */
  const push = async (request: Swap, oid: Oid, refs: readonly RefPush[]): Promise<PushResult> => {
    const deadline = clock.now() + WRITE_WITHIN_MS;
    for (const pause of PAUSES_MS) {
      const result = await pushOnce(request, oid, refs);
      if (result.kind !== 'refused' || !result.isPassing) return result;
      const until = clock.now() + pause / 2 + (Math.random() * pause) / 2;
      if (until > deadline) return result;
      log.warn({ issue: formatIssue(request.subject.ref), ref: result.ref, why: result.why }, 'push refused; retrying');
      await new Promise<void>((resolve) => void clock.at(until, resolve));
    }
    return pushOnce(request, oid, refs);
  };

  const swap = async (request: Swap): Promise<SwapResult> => {
    const { subject, expected, next, because, alongside = [] } = request;
    const ref = stateRefName(subject.ref.number);
    const commit = await predecessor(subject, expected);
    if (commit === 'moved') return { kind: 'lost' };
    const before = commit === 'none' ? null : await readCommit(subject, commit);
    if (before?.kind === 'valid' && next.epoch < before.state.epoch)
      return {
        kind: 'refused',
        ref,
        why: `epoch ${next.epoch} is over: the state is at ${before.state.epoch}`,
        isPassing: false,
      };
    const parent = commit === 'none' ? null : commit.oid;
    const author = { owner, nonce: randomBytes(16).toString('hex') };
    const text = formatState(boundState(redactDeep(next, redact)), author, { subject, parent }, signing);
    const message = formatSubject(because);
    const oid = await gitHost.writeCommit(subject.ref, { files: { [FILE]: text }, parent, message });
    const result = await push(request, oid, [{ ref, expected, to: oid }, ...alongside]);
    if (result.kind === 'pushed') return { kind: 'swapped', oid };
    if (result.kind === 'refused') return result;
    // `lost`: the decision is outdated. `blocked`: only a branch has moved.
    return result.moved.includes(ref) ? { kind: 'lost' } : { kind: 'blocked', moved: result.moved };
  };

  return {
    // Without a state in the API's answer git is asked, because the API may lag.
    read: async (subject, raw) => {
      if (raw === null || raw.text === null) return readTip(subject);
      const { oid, parents, text } = raw;
      if (parents.length > 1) return { kind: 'unverifiable', oid, why: MERGED };
      return { ...parseState(text, { subject, parent: parents[0] ?? null }, signing), oid };
    },
    swap,
    history: async (subject) => {
      const tip = await fetchTip(subject);
      const commits = tip === null ? [] : await gitHost.log(subject.ref, tip, LONGEST_HISTORY);
      const entries: HistoryEntry[] = [];
      for (const commit of commits) {
        const { oid, at, subject: because } = commit;
        entries.push({ oid, at, because, reading: await readCommit(subject, commit) });
      }
      return entries;
    },
  };
}
