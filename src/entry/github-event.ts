import { z } from 'zod';
import { issueOfBranch } from '../domain/ids.js';
import type { Policy } from '../domain/policy.js';
import type { GitHubEvent } from '../usecases/handle-event.js';

/* Webhooks, parsed once. What does not matter to Sluice, or was caused by it, is `null`. */

const sender = z.object({ id: z.number(), login: z.string(), type: z.string() });
const repository = z.object({ name: z.string(), owner: z.object({ login: z.string() }) });
const app = z.object({ id: z.number() }).nullish();
const around = { repository, sender };

const comment = z.object({
  ...around,
  action: z.literal('created'),
  issue: z.object({ number: z.number() }),
  comment: z.object({ node_id: z.string(), body: z.string().nullish(), created_at: z.iso.datetime() }),
});

const checkSuite = z.object({
  ...around,
  action: z.literal('completed'),
  check_suite: z.object({ head_branch: z.string().nullish(), app }),
});

const checkRun = z.object({
  ...around,
  action: z.literal('completed'),
  check_run: z.object({ app, check_suite: z.object({ head_branch: z.string().nullish() }).nullish() }),
});

const status = z.object({ ...around, branches: z.array(z.object({ name: z.string() })) });

const pull = z.object({
  ...around,
  action: z.enum(['closed', 'synchronize']),
  pull_request: z.object({ head: z.object({ ref: z.string() }) }),
});

interface InRepository {
  readonly repository: z.infer<typeof repository>;
}

/** A webhook as far as it matters. `self` is who our own events come from. */
export function parseGitHubEvent(name: string, payload: unknown, self: Policy['identity']): GitHubEvent | null {
  switch (name) {
    case 'issue_comment':
      return read(comment, payload, commented);
    case 'check_suite':
      return read(checkSuite, payload, (event) =>
        event.check_suite.app?.id === self.appId ? null : touched(event, event.check_suite.head_branch),
      );
    case 'check_run':
      return read(checkRun, payload, (event) =>
        event.check_run.app?.id === self.appId ? null : touched(event, event.check_run.check_suite?.head_branch),
      );
    case 'status':
      return read(status, payload, (event) => {
        const branch = event.branches.find((one) => issueOfBranch(one.name) !== null);
        return event.sender.id === self.accountId ? null : touched(event, branch?.name);
      });
    case 'pull_request':
      return read(pull, payload, (event) =>
        event.sender.id === self.accountId ? null : touched(event, event.pull_request.head.ref),
      );
    default:
      return null;
  }
}

function read<Payload>(
  schema: z.ZodType<Payload>,
  payload: unknown,
  understand: (event: Payload) => GitHubEvent | null,
): GitHubEvent | null {
  const { data } = schema.safeParse(payload);
  return data === undefined ? null : understand(data);
}

/** Only people give commands; bots, ourselves included, never do. */
function commented(event: z.infer<typeof comment>): GitHubEvent | null {
  const { id, login, type } = event.sender;
  if (type !== 'User') return null;
  return {
    kind: 'comment',
    ref: { owner: event.repository.owner.login, repo: event.repository.name, number: event.issue.number },
    commentId: event.comment.node_id,
    at: Date.parse(event.comment.created_at),
    author: { id, login, kind: 'human' },
    body: event.comment.body ?? '',
  };
}

/** Something happened on a branch: if it is one of ours, its issue is worth a look. */
function touched(event: InRepository, branch: string | null | undefined): GitHubEvent | null {
  const number = issueOfBranch(branch ?? '');
  if (number === null) return null;
  return { kind: 'touched', ref: { owner: event.repository.owner.login, repo: event.repository.name, number } };
}
