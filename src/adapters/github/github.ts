import { z } from 'zod';
import { formatIssue } from '../../domain/ids.js';
import type { IssueSnapshot } from '../../domain/snapshot.js';
import { publish } from '../../domain/text/publish.js';
import { type Redact, redactPatterns } from '../../domain/text/redact.js';
import { type GitHub, GitHubError, type MergeResult, type Role, type SnapshotHints } from '../../ports/github.js';
import type { Log } from '../../ports/log.js';
import { type Api, type ApiOptions, createApi, type GraphqlAnswer } from './api.js';
import { graphqlFailure, parsed, problemOf } from './errors.js';
import { ensureLabels } from './label-maker.js';
import { createLookout, type Lookout } from './lookout.js';
import { publishing } from './outgoing.js';
import { projectionSteps } from './projection-steps.js';
import { issueOfPull, reply } from './replies.js';
import { MERGE_PULL, OPEN_PULL, projectDocument, REACT, STEPS, stepAlias } from './queries.js';
import type { Identity } from './token-source.js';

export interface GitHubOptions extends ApiOptions {
  readonly identity: Identity;
  readonly log: Log;
  /** Takes out of texts what nobody may see. */
  readonly redact?: Redact;
}

interface Parts {
  readonly api: Api;
  readonly lookout: Lookout;
  readonly identity: Identity;
}

/** GitHub over its REST and GraphQL APIs. */
export function createGitHub(options: GitHubOptions): GitHub {
  const redact = options.redact ?? redactPatterns;
  const api = publishing(createApi(options), redact);
  const lookout = createLookout({ api, tokens: options.tokens, log: options.log });
  const parts: Parts = { api, lookout, identity: options.identity };
  return {
    snapshot: (ref, hints) => lookout.read(ref, hints),
    project: project(parts),
    openPull: openPull(parts),
    merge: merge(parts),
    roleOf: roleOf(parts),
    // What is compared with what was said before has to be what was sent.
    reply: (ref, about, body) => reply(parts)(ref, about, publish(body, redact)),
    issueOfPull: issueOfPull(parts),
    react: async (repo, subjectId, content) => {
      const { errors } = await api.graphql(repo, REACT, { input: { subjectId, content } });
      if (errors.length > 0) throw graphqlFailure('React', errors);
    },
  };
}

const project =
  ({ api, lookout, identity }: Parts): GitHub['project'] =>
  async (snapshot, changes, hints) => {
    const labelIds = await ensureLabels({ api, lookout }, snapshot, changes, hints);
    const steps = projectionSteps(changes, { snapshot, identity, labelIds });
    const last = steps.at(-1);
    if (last === undefined) return again(lookout, snapshot, hints);
    const { issueAt } = STEPS[last.step];
    const inputs = Object.fromEntries(steps.map(({ input }, index) => [stepAlias(index), input]));
    const variables = issueAt === null ? inputs : { ...inputs, ...(await lookout.variables(snapshot.ref, hints)) };
    const answer = await api.graphql(snapshot.ref, projectDocument(steps.map(({ step }) => step)), variables);
    if (answer.errors.length > 0) throw graphqlFailure('ProjectIssue', answer.errors);
    // Removing a comment answers nothing about the issue it was on.
    if (issueAt === null) return again(lookout, snapshot, hints);
    return lookout.found(answer, [stepAlias(steps.length - 1), ...issueAt], { ref: snapshot.ref, hints });
  };

const openPull =
  ({ api, lookout }: Parts): GitHub['openPull'] =>
  async (snapshot, { branch, base, title, body }, hints) => {
    const { ref, repositoryId } = snapshot;
    const input = { repositoryId, headRefName: branch, baseRefName: base, title, body };
    const variables = await lookout.variables(ref, hints);
    const answer = await api.graphql(ref, OPEN_PULL, { input, number: ref.number, ...variables });
    if (answer.errors.length === 0) return lookout.found(answer, issueIn('opened'), { ref, hints });
    if (!isRefusal(answer, 'opened')) throw graphqlFailure('OpenPull', answer.errors);
    // Refused because it is there already? Then that is what was wanted.
    const now = await again(lookout, snapshot, hints);
    if (now.pull?.state === 'open' && now.pull.baseRef === base) return now;
    throw graphqlFailure('OpenPull', answer.errors);
  };

const merge =
  ({ api, lookout }: Parts): GitHub['merge'] =>
  async ({ ref }, { pullId, head, title, body }, hints): Promise<MergeResult> => {
    const how = { mergeMethod: 'SQUASH', commitHeadline: title, commitBody: body };
    const input = { pullRequestId: pullId, expectedHeadOid: head, ...how };
    const variables = await lookout.variables(ref, hints);
    const answer = await api.graphql(ref, MERGE_PULL, { input, number: ref.number, ...variables });
    if (isRefusal(answer, 'merged'))
      return { kind: 'refused', why: answer.errors.map((error) => error.message).join('; ') };
    if (answer.errors.length > 0) throw graphqlFailure('MergePull', answer.errors);
    return { kind: 'merged', snapshot: lookout.found(answer, issueIn('merged'), { ref, hints }) };
  };

const issueIn = (field: string): readonly string[] => [field, 'pullRequest', 'repository', 'issue'];

/** Whether GitHub understood the mutation and would not do it; an error further in means that it was done. */
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
    const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
    try {
      const answer = parsed(route, roleSchema, await api.rest({ owner, repo }, route, { owner, repo, username }));
      if (answer.user?.id !== id) return 'none';
      // Roles an organisation made up are counted as the standard role they are built on.
      const known = (name: string | undefined) => ROLES.find((role) => role === name);
      return known(answer.role_name) ?? known(answer.permission) ?? 'none';
    } catch (error) {
      if (error instanceof GitHubError && error.problem === 'not-found') return 'none';
      throw error;
    }
  };

async function again(lookout: Lookout, { ref }: IssueSnapshot, hints: SnapshotHints) {
  const snapshot = await lookout.read(ref, hints);
  if (snapshot === null) throw new GitHubError('not-found', `${formatIssue(ref)} is gone`);
  return snapshot;
}
