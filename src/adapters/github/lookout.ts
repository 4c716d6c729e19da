import { formatRepo, type IssueRef, stateRefName, workBranch } from '../../domain/ids.js';
import { GitHubError, type RawSnapshot, type SnapshotHints } from '../../ports/github.js';
import type { Log } from '../../ports/log.js';
import type { Api, GraphqlAnswer } from './api.js';
import { type GraphqlError, graphqlFailure } from './errors.js';
import { issueFacts } from './facts.js';
import { ISSUE_SNAPSHOT } from './queries.js';
import { type Look, toSnapshot } from './to-snapshot.js';
import type { TokenSource } from './token-source.js';

/** Reads snapshots: by themselves, and out of what mutations answer. */
export interface Lookout {
  read(ref: IssueRef, hints: SnapshotHints): Promise<RawSnapshot | null>;
  /** What a document that ends in the snapshot has to be given. */
  variables(ref: IssueRef, hints: SnapshotHints): Promise<Readonly<Record<string, unknown>>>;
  /** The snapshot at a place of an answer without errors. */
  found(answer: GraphqlAnswer, path: readonly string[], asked: Omit<Look, 'at'>): RawSnapshot;
}

export interface LookoutParts {
  readonly api: Api;
  readonly tokens: TokenSource;
  readonly log: Log;
}

const ISSUE_PATH = ['repository', 'issue'];

export function createLookout({ api, tokens, log }: LookoutParts): Lookout {
  /** Owners whose Projects we were refused: asked once, then done without. */
  const withoutProjects = new Set<string>();

  const variables: Lookout['variables'] = async (ref, { base, landed }) => ({
    base: `refs/heads/${base ?? ''}`,
    hasBase: base !== null,
    landed: landed ?? '',
    hasLanded: landed !== null,
    projects: !withoutProjects.has(ref.owner) && (await tokens.tokenFor(ref)).readsProjects,
    stateRef: stateRefName(ref.number),
    workRef: `refs/heads/${workBranch(ref.number)}`,
    workBranch: workBranch(ref.number),
  });

  const ask = async (ref: IssueRef, hints: SnapshotHints): Promise<GraphqlAnswer> => {
    const { owner, repo: name, number } = ref;
    return api.graphql(ref, ISSUE_SNAPSHOT, { owner, name, number, ...(await variables(ref, hints)) });
  };

  const askTwiceAtMost = async (ref: IssueRef, hints: SnapshotHints): Promise<GraphqlAnswer> => {
    const answer = await ask(ref, hints);
    if (answer.errors.length === 0 || !answer.errors.every(isAboutProjects)) return answer;
    log.warn({ repository: formatRepo(ref) }, 'no access to Projects: sizes come from labels only');
    withoutProjects.add(ref.owner);
    return ask(ref, hints);
  };

  return {
    variables,
    found,
    read: async (ref, hints) => {
      const answer = await askTwiceAtMost(ref, hints).catch(nullWhenNotFound);
      if (answer === null || isGone(answer)) return null;
      if (answer.errors.length > 0) throw graphqlFailure('IssueSnapshot', answer.errors);
      return at(answer.data, ISSUE_PATH) == null ? null : found(answer, ISSUE_PATH, { ref, hints });
    },
  };
}

function found(answer: GraphqlAnswer, path: readonly string[], { ref, hints }: Omit<Look, 'at'>): RawSnapshot {
  const facts = issueFacts.safeParse(at(answer.data, path));
  if (facts.success) return toSnapshot(facts.data, { ref, hints, at: answer.at });
  throw new GitHubError('permanent', `GitHub's answer is not what its schema promises: ${facts.error.message}`);
}

/** A repository one may not see looks like one that does not exist. */
function nullWhenNotFound(error: unknown): null {
  if (error instanceof GitHubError && error.problem === 'not-found') return null;
  throw error;
}

/** The one error that is an answer: there is no such repository, or no such issue in it. */
const isGone = ({ errors }: GraphqlAnswer): boolean =>
  errors.length === 1 && errors.every(({ type, path }) => type === 'NOT_FOUND' && (path ?? []).length <= 2);

const isAboutProjects = ({ type, path }: GraphqlError): boolean =>
  type === 'INSUFFICIENT_SCOPES' || (type === 'FORBIDDEN' && path?.includes('projectItems') === true);

/** What is at a place of an answer. */
function at(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], data);
}
