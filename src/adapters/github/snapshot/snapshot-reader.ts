import { formatRepo, type IssueRef, type RepoRef, stateRefName, workBranch } from '../../../domain/issue/ids.js';
import type { CommentFacts } from '../../../domain/state/snapshot.js';
import { GitHubError, type RawSnapshot, type SnapshotHints } from '../../../ports/github.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import type { GitHubApi, TimedAnswer } from '../client/github-api.js';
import type { GraphqlAnswer } from '../client/graphql.js';
import { type GraphqlError, graphqlFailure, isTooMuch } from '../client/errors.js';
import { type IssueFacts, issueFacts } from './facts.js';
import { findOwnPull, type Search } from './find-own-pull.js';
import { findOwnComments, knownComments, withOlder } from './own-comments.js';
import { ISSUE_SNAPSHOT } from '../queries/queries.js';
import { createPages, type PageSizes } from './page-sizes.js';
import type { ReadYourWrites } from './read-your-writes.js';
import { type SnapshotContext, toSnapshot } from './to-snapshot.js';
import type { Identity, TokenSource } from '../auth/token-source.js';

/** Reads snapshots, from queries and from the answers to mutations. */
export interface SnapshotReader {
  read(ref: IssueRef, hints: SnapshotHints): Promise<RawSnapshot | null>;
  /** The variables of a document that returns a snapshot. */
  variables(ref: IssueRef, hints: SnapshotHints): Promise<Readonly<Record<string, unknown>> & PageSizes>;
  /** Called when GitHub cut an answer about this repository; the next queries ask for less. */
  tooMuch(repo: RepoRef): void;
  /**
   * The snapshot at a path in the answer to a write. `ours` are our comments that the answer may be too short to show; `null` when unknown.
   */
  fromWrite(answer: TimedAnswer, path: readonly string[], asked: SnapshotRequest, ours: OwnComments): RawSnapshot;
}

type SnapshotRequest = Pick<SnapshotContext, 'ref' | 'hints'>;
type OwnComments = readonly CommentFacts[] | null;

export interface SnapshotReaderParts {
  readonly api: GitHubApi;
  readonly tokens: TokenSource;
  readonly identity: Identity;
  readonly readYourWrites: ReadYourWrites;
  readonly log: Log;
  readonly clock: Clock;
}

const ISSUE_PATH = ['repository', 'issue'];

export function createSnapshotReader(parts: SnapshotReaderParts): SnapshotReader {
  const { api, tokens, identity, readYourWrites, log, clock } = parts;
  const pages = createPages(clock);
  /** Owners who refused us their Projects; they are not asked again. */
  const withoutProjects = new Set<string>();

  const variables: SnapshotReader['variables'] = async (ref, { base, landed, pull }) => ({
    base: `refs/heads/${base ?? ''}`,
    hasBase: base !== null,
    landed: landed ?? '',
    hasLanded: landed !== null,
    projects: !withoutProjects.has(ref.owner) && (await tokens.tokenFor(ref)).readsProjects,
    stateRef: stateRefName(ref.number),
    workRef: `refs/heads/${workBranch(ref.number)}`,
    workBranch: workBranch(ref.number),
    // Queried by number. The id is compared later, to prove that it is the right one.
    pull: pull !== null && 'id' in pull ? pull.number : 0,
    hasPull: pull !== null && 'id' in pull,
    ...pages.of(ref),
  });

  const ask = async (ref: IssueRef, hints: SnapshotHints): Promise<TimedAnswer> => {
    const { owner, repo: name, number } = ref;
    const ours = (knownOwn(ref) ?? []).map(({ id }) => id);
    const asked = { owner, name, number, ours, hasOurs: ours.length > 0, ...(await variables(ref, hints)) };
    return withoutGone(await api.graphql(ref, ISSUE_SNAPSHOT, asked));
  };

  const askTwiceAtMost = async (ref: IssueRef, hints: SnapshotHints): Promise<TimedAnswer> => {
    const answer = await ask(ref, hints);
    if (answer.errors.length === 0 || !answer.errors.every(isAboutProjects)) return answer;
    log.warn({ repository: formatRepo(ref) }, 'no access to Projects: sizes come from labels only');
    withoutProjects.add(ref.owner);
    return ask(ref, hints);
  };

  /** Uses smaller pages each time GitHub refuses the query as too expensive; the size that works is remembered for a while. */
  const askForLess = async (ref: IssueRef, hints: SnapshotHints): Promise<TimedAnswer> => {
    for (;;) {
      const before = pages.of(ref);
      const answer = await askTwiceAtMost(ref, hints).catch((error: unknown) => {
        if (!(error instanceof GitHubError) || !error.isTooMuch || !pages.shrink(ref)) throw error;
        return null;
      });
      const isCut = answer?.errors.some(isTooMuch) === true;
      if (answer !== null && !(isCut && pages.shrink(ref))) return answer;
      log.warn(
        { repository: formatRepo(ref), asked: before },
        'snapshot too large for GitHub; retrying with smaller pages',
      );
    }
  };

  /** Our known comments if there are more than one page; they are then requested by id. */
  const knownOwn = (ref: IssueRef): OwnComments => {
    const known = readYourWrites.commentsOf(ref);
    if (known === null || known.length < pages.of(ref).comments) return null;
    return known.filter(({ author }) => author?.id === identity.accountId);
  };

  /** Our comments that are too old for the first page; searched only if there can be any. */
  const olderComments = async (facts: IssueFacts, snapshot: RawSnapshot, data: unknown): Promise<OwnComments> => {
    if (!facts.comments.pageInfo.hasPreviousPage) return [];
    if (knownOwn(snapshot.ref) !== null) return knownComments(data);
    return snapshot.rawState === null ? null : findOwnComments(parts, snapshot, facts.comments);
  };

  return {
    variables,
    tooMuch: (repo) => void pages.shrink(repo),
    fromWrite: (answer, path, { ref, hints }, given) => {
      const facts = factsAt(answer, path);
      const ours = facts.comments.pageInfo.hasPreviousPage ? (given ?? knownOwn(ref)) : [];
      const snapshot = withOlder(toSnapshot(facts, readContext(answer, ref, hints)), ours ?? []);
      return readYourWrites.recordWrite({ snapshot, updatedAt: facts.updatedAt, hints, isWhole: ours !== null });
    },
    read,
  };

  function readContext({ at: readAt, askedAt }: TimedAnswer, ref: IssueRef, hints: SnapshotHints): SnapshotContext {
    return { ref, hints, at: readAt, askedAt, accountId: identity.accountId };
  }

  async function read(ref: IssueRef, hints: SnapshotHints): Promise<RawSnapshot | null> {
    const answer = await askForLess(ref, hints).catch(nullWhenNotFound);
    if (answer === null || isGone(answer)) return null;
    if (answer.errors.length > 0) throw graphqlFailure('IssueSnapshot', answer.errors);
    if (at(answer.data, ISSUE_PATH) == null) return null;
    const facts = factsAt(answer, ISSUE_PATH);
    const sent = toSnapshot(facts, readContext(answer, ref, hints));
    const search = await searchPull(sent, hints);
    if (search?.kind === 'found') return read(ref, { ...hints, pull: search.pull });
    const older = await olderComments(facts, sent, answer.data);
    const snapshot = withOlder(search?.kind === 'none' ? { ...sent, pullsCut: false } : sent, older ?? []);
    return readYourWrites.read({ snapshot, updatedAt: facts.updatedAt, hints, isWhole: older !== null });
  }

  /** Searches our pull request beyond the first page; `null` when there is no need. */
  async function searchPull(
    { ref, pulls, pullsCut }: RawSnapshot,
    { pull: hint }: SnapshotHints,
  ): Promise<Search | null> {
    if (!pullsCut || hint === null || 'id' in hint) return null;
    if (pulls.some(({ number }) => number > hint.newerThan)) return null;
    log.warn({ repository: formatRepo(ref), issue: ref.number }, 'own pull request not in the first page; searching');
    return findOwnPull(api, { ref, accountId: identity.accountId }, hint.newerThan);
  }
}

function factsAt(answer: GraphqlAnswer, path: readonly string[]): IssueFacts {
  const given = at(answer.data, path);
  const facts = issueFacts.safeParse(given);
  if (facts.success) return facts.data;
  // GitHub's schema allows `null` nearly everywhere for a moment; any other mismatch is permanent.
  const isHole = facts.error.issues.every((issue) => at(given, issue.path) == null);
  if (isHole) throw new GitHubError('transient', `GitHub left out what is needed: ${facts.error.message}`);
  throw new GitHubError('permanent', `GitHub's answer is not what its schema promises: ${facts.error.message}`);
}

/** A repository that we may not see looks like a missing one. */
function nullWhenNotFound(error: unknown): null {
  if (error instanceof GitHubError && error.problem === 'not-found') return null;
  throw error;
}

/** The only error that is an answer: no such repository or issue. */
const isGone = ({ errors }: GraphqlAnswer): boolean =>
  errors.length === 1 && errors.every(({ type, path }) => type === 'NOT_FOUND' && (path ?? []).length <= 2);

/** About a deleted comment of ours, or a pull request GitHub does not show: both were requested by id or number. */
const isAboutGone = ({ type, path }: GraphqlError): boolean =>
  type === 'NOT_FOUND' && (path?.[0] === 'ours' || path?.at(-1) === 'recorded');

/** Treats what is gone as missing instead of an error. */
export function withoutGone(answer: TimedAnswer): TimedAnswer {
  return { ...answer, errors: answer.errors.filter((error) => !isAboutGone(error)) };
}

const isAboutProjects = ({ type, path }: GraphqlError): boolean =>
  type === 'INSUFFICIENT_SCOPES' || (type === 'FORBIDDEN' && path?.includes('projectItems') === true);

/** The value at a path in an answer. */
function at(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], data);
}
