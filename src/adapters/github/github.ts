import { z } from 'zod';
import { formatIssue } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { publish } from '../../domain/sanitise/publish.js';
import { redactPatterns } from '../../domain/sanitise/redact.js';
import {
  type GitHub,
  GitHubError,
  type MergeResult,
  type Role,
  type SnapshotHints,
  WRITE_WITHIN_MS,
} from '../../ports/github.js';
import type { Clock } from '../../ports/clock.js';
import { acknowledge } from './writes/acknowledge.js';
import { type GitHubApi, type GitHubApiOptions, createGitHubApi, type TimedAnswer } from './client/github-api.js';
import type { GraphqlAnswer } from './client/graphql.js';
import { graphqlFailure, isTooMuch, parseAnswer, problemOf } from './client/errors.js';
import { ensureLabels } from './writes/ensure-labels.js';
import { createSnapshotReader, type SnapshotReader, withoutGone } from './snapshot/snapshot-reader.js';
import { afterChanges } from './snapshot/own-comments.js';
import { projectionSteps } from './writes/projection-steps.js';
import { createReactions } from './writes/reactions.js';
import { reply } from './writes/reply.js';
import { MERGE_PULL, OPEN_PULL, projectDocument, type Step, STEPS, stepAlias } from './queries/queries.js';
import { ReadYourWrites } from './snapshot/read-your-writes.js';
import type { Identity } from './auth/token-source.js';

export interface GitHubOptions extends GitHubApiOptions {
  readonly identity: Identity;
  /** Also learns of writes elsewhere: pushes. */
  readonly readYourWrites?: ReadYourWrites;
}

interface Parts {
  readonly api: GitHubApi;
  readonly snapshotReader: SnapshotReader;
  readonly identity: Identity;
  readonly readYourWrites: ReadYourWrites;
  readonly clock: Clock;
}

/** GitHub over its REST and GraphQL APIs. */
export function createGitHub(options: GitHubOptions): GitHub {
  const { tokens, identity, clock, log } = options;
  const redact = options.redact ?? redactPatterns;
  const readYourWrites = options.readYourWrites ?? new ReadYourWrites({ clock });
  const api = createGitHubApi({ ...options, redact });
  const snapshotReader = createSnapshotReader({ api, tokens, identity, readYourWrites, log, clock });
  const parts: Parts = { api, snapshotReader, identity, readYourWrites, clock };
  return {
    snapshot: (ref, hints) => snapshotReader.read(ref, hints),
    project: project(parts),
    openPull: openPull(parts),
    merge: merge(parts),
    roleOf: roleOf(parts),
    // Published before it is compared with earlier comments, because those were published, too.
    reply: (ref, about, body, to) => reply(parts)(ref, about, publish(body, redact), to),
    acknowledge: acknowledge(parts),
    react: createReactions(parts),
  };
}

/** Sends a write about an issue if its decision is fresh, and tracks an unknown outcome. */
async function write(
  { api, snapshotReader, readYourWrites }: Parts,
  { ref, knownAt }: IssueSnapshot,
  document: string,
  { creations, ...variables }: Readonly<Record<string, unknown>> & { readonly creations: number },
): Promise<TimedAnswer> {
  const writing = { creations, notAfter: knownAt + WRITE_WITHIN_MS, about: formatIssue(ref) };
  const answer = withoutGone(
    await readYourWrites.trackOutcome(ref, () => api.graphql(ref, document, variables, writing)),
  );
  // The write succeeded; only the snapshot in the answer was cut.
  if (answer.errors.some(isTooMuch)) snapshotReader.tooMuch(ref);
  return answer;
}

const project =
  (parts: Parts): GitHub['project'] =>
  async (snapshot, changes, hints) => {
    const { snapshotReader, identity, readYourWrites } = parts;
    const { ref } = snapshot;
    // Everything else can be repeated; a new comment would be doubled.
    if (changes.some((change) => change.kind === 'comment' && change.existing === null))
      readYourWrites.mustBeSettled(ref);
    const labelIds = await ensureLabels(parts, snapshot, changes, hints);
    const steps = projectionSteps(changes, { snapshot, identity, labelIds });
    const last = steps.at(-1);
    if (last === undefined) return readAgain(snapshotReader, snapshot, hints);
    const { issueAt } = STEPS[last.step];
    const inputs = Object.fromEntries(steps.map(({ input }, index) => [stepAlias(index), input]));
    const variables = issueAt === null ? inputs : { ...inputs, ...(await snapshotReader.variables(ref, hints)) };
    const creations = steps.filter(({ step }) => CREATING.has(step)).length;
    const document = projectDocument(steps.map(({ step }) => step));
    const answer = await write(parts, snapshot, document, { creations, ...variables });
    if (answer.errors.length > 0) throw graphqlFailure('ProjectIssue', answer.errors);
    // The payload of a removed comment does not contain the issue.
    if (issueAt === null) return readAgain(snapshotReader, snapshot, hints);
    const path = [stepAlias(steps.length - 1), ...issueAt];
    return snapshotReader.fromWrite(answer, path, { ref, hints }, afterChanges(snapshot, changes, identity));
  };

/** Steps that create something, which GitHub counts. */
const CREATING: ReadonlySet<Step> = new Set<Step>(['addComment', 'createCheckRun']);

const openPull =
  (parts: Parts): GitHub['openPull'] =>
  async (snapshot, { branch, base, title, body }, hints) => {
    const { snapshotReader, identity } = parts;
    const { ref, repositoryId } = snapshot;
    const input = { repositoryId, headRefName: branch, baseRefName: base, title, body };
    const variables = { input, number: ref.number, ...(await snapshotReader.variables(ref, hints)) };
    const answer = await write(parts, snapshot, OPEN_PULL, { creations: 1, ...variables });
    if (answer.errors.length === 0)
      return snapshotReader.fromWrite(answer, issueIn('opened'), { ref, hints }, afterChanges(snapshot, [], identity));
    if (!isRefusal(answer, 'opened')) throw graphqlFailure('OpenPull', answer.errors);
    // A pull request may exist already, or have been merged since. Then the goal is reached.
    const now = await readAgain(snapshotReader, snapshot, hints);
    const [pull] = now.pulls;
    const isNew = pull !== undefined && pull.id !== snapshot.pull?.id;
    if (pull?.baseRef === base && (pull.state === 'open' || isNew)) return now;
    // Somebody else's pull request blocks ours; the next decision reports it.
    if (now.foreignPull !== null) return now;
    throw graphqlFailure('OpenPull', answer.errors);
  };

const merge =
  (parts: Parts): GitHub['merge'] =>
  async (snapshot, { pullId, head, title, body }, hints): Promise<MergeResult> => {
    const { snapshotReader, identity } = parts;
    const { ref } = snapshot;
    // A rebase keeps the commits' own messages.
    const words = snapshot.mergeMethod === 'rebase' ? {} : { commitHeadline: title, commitBody: body };
    const how = { mergeMethod: snapshot.mergeMethod.toUpperCase(), ...words };
    const input = { pullRequestId: pullId, expectedHeadOid: head, ...how };
    const variables = { input, number: ref.number, ...(await snapshotReader.variables(ref, hints)) };
    const answer = await write(parts, snapshot, MERGE_PULL, { creations: 1, ...variables });
    if (isRefusal(answer, 'merged')) {
      const why = answer.errors.map((error) => error.message).join('; ');
      return { kind: BEING_MOVED.test(why) ? 'moved' : 'refused', why };
    }
    if (answer.errors.length > 0) throw graphqlFailure('MergePull', answer.errors);
    const ours = afterChanges(snapshot, [], identity);
    return { kind: 'merged', snapshot: snapshotReader.fromWrite(answer, issueIn('merged'), { ref, hints }, ours) };
  };

/** GitHub has no code for this: base or head moved meanwhile. */
const BEING_MOVED = /^(Base|Head) branch was modified/;

const issueIn = (field: string): readonly string[] => [field, 'pullRequest', 'repository', 'issue'];

/** Whether GitHub refused the mutation. An error deeper in the path means that it was done. */
function isRefusal({ errors }: GraphqlAnswer, field: string): boolean {
  const refused = errors.filter(({ path }) => path?.length === 1 && path[0] === field);
  return refused.length > 0 && refused.every((error) => ['permanent', 'forbidden'].includes(problemOf(error)));
}

const ROLES: readonly Role[] = ['admin', 'maintain', 'write', 'triage', 'read', 'none'];
const roleSchema = z.object({
  role_name: z.string().optional(),
  permission: z.string(),
  user: z.object({ id: z.number() }).nullish(),
});

const roleOf =
  ({ api }: Parts): GitHub['roleOf'] =>
  async ({ owner, repo }, { id, login: username }) => {
    try {
      const request = api.requestFor({ owner, repo });
      const { data } = await api.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username, request });
      const answer = parseAnswer('the role', roleSchema, data);
      if (answer.user?.id !== id) return 'none';
      // Custom roles count as the standard role they are based on.
      const known = (name: string | undefined) => ROLES.find((role) => role === name);
      return known(answer.role_name) ?? known(answer.permission) ?? 'none';
    } catch (error) {
      if (error instanceof GitHubError && error.problem === 'not-found') return 'none';
      throw error;
    }
  };

async function readAgain(snapshotReader: SnapshotReader, { ref }: IssueSnapshot, hints: SnapshotHints) {
  const snapshot = await snapshotReader.read(ref, hints);
  if (snapshot === null) throw new GitHubError('not-found', `${formatIssue(ref)} is gone`);
  return snapshot;
}
