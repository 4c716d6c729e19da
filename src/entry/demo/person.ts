import { z } from 'zod';
import { commentMarker } from '../../domain/issue/comment-marker.js';
import { workBranch } from '../../domain/issue/ids.js';

/* A person using GitHub over HTTP: the demo reads every outcome this way. */

const issueSchema = z.object({
  title: z.string(),
  body: z.string().nullable(),
  state: z.string(),
  labels: z.array(z.object({ name: z.string() })),
});
const commentsSchema = z.array(z.object({ body: z.string(), user: z.object({ type: z.string() }) }));
const pullsSchema = z.array(
  z.object({ number: z.number(), merged_at: z.string().nullable(), merge_commit_sha: z.string().nullable() }),
);
const commitsSchema = z.array(z.object({ sha: z.string() }));

/** An issue and what came of it, as GitHub shows it to a person. */
export interface Outcome {
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly labels: readonly string[];
  readonly comments: readonly { readonly body: string; readonly bot: boolean }[];
  readonly pulls: readonly { readonly number: number; readonly merged: boolean; readonly mergeCommit: string | null }[];
}

export interface Person {
  comment(issue: number, body: string): Promise<void>;
  read(issue: number): Promise<Outcome>;
  /** Commits of the base branch, newest first. */
  commits(): Promise<readonly string[]>;
}

/** Deadline for an answer: everything runs in one process, so it may be slow. */
const ANSWER_MS = 15_000;

/** `repository` is where its REST resources begin. */
export function personAt(repository: string, token: string): Person {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${repository}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${path}: ${await response.text()}`);
    return response.json();
  };
  const owner = repository.split('/').at(-2) ?? '';
  return {
    comment: async (issue, body) => void (await ask(`/issues/${issue}/comments`, { body })),
    read: async (number) => {
      const issue = issueSchema.parse(await ask(`/issues/${number}`));
      const comments = commentsSchema.parse(await ask(`/issues/${number}/comments?per_page=100`));
      const pulls = pullsSchema.parse(await ask(`/pulls?state=all&head=${owner}:${workBranch(number)}`));
      return {
        ...issue,
        body: issue.body ?? '',
        labels: issue.labels.map(({ name }) => name).toSorted(),
        comments: comments.map(({ body, user }) => ({ body, bot: user.type === 'Bot' })),
        pulls: pulls.map((pull) => ({
          number: pull.number,
          merged: pull.merged_at !== null,
          mergeCommit: pull.merge_commit_sha,
        })),
      };
    },
    commits: async () => commitsSchema.parse(await ask('/commits?per_page=100')).map(({ sha }) => sha),
  };
}

/** The problems of an outcome; empty when the issue is done as promised. */
export function problemsWith(outcome: Outcome, landed: readonly string[], route: 'patch' | 'pr'): readonly string[] {
  const { state, labels, comments, body, pulls } = outcome;
  const ours = (slot: Parameters<typeof commentMarker>[0]) =>
    comments.filter((comment) => comment.bot && comment.body.startsWith(commentMarker(slot)));
  const criteria = ours('triage').flatMap((comment) => comment.body.match(/^- \S+ \*\*c\d+\*\*/gm) ?? []);
  const [pull, ...more] = pulls;
  const expectations: readonly (readonly [boolean, string])[] = [
    [state === 'closed', `the issue is ${state}`],
    [
      labels.filter((label) => label.startsWith('phase/')).join() === 'phase/done',
      `its labels are ${labels.join(' ')}`,
    ],
    [!labels.some((label) => label.startsWith('auto/')), 'a label still says that it is being driven'],
    [ours('status').length === 1, `there are ${ours('status').length} status comments`],
    [criteria.length > 0 && criteria.every((line) => line.startsWith('- ✅')), 'not every criterion is shown to hold'],
    [!/^\s*- \[ \]/m.test(body), 'a box in the issue is not ticked'],
    [landed.length === 1, `${landed.length} commits landed on the base branch`],
    route === 'patch'
      ? [pull === undefined, 'there is a pull request']
      : [
          pull?.merged === true && more.length === 0,
          `there are ${pulls.length} pull requests, merged: ${pull?.merged}`,
        ],
    [route === 'patch' || landed.includes(pull?.mergeCommit ?? ''), 'the merge is not on the base branch'],
  ];
  return expectations.filter(([holds]) => !holds).map(([, complaint]) => complaint);
}
