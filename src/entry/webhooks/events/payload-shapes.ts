import { z } from 'zod';
import type { GitHubEvent } from '../../../domain/intent/github-event.js';
import { type IssueRef, issueOfBranch, parseIssue } from '../../../domain/issue/ids.js';
import { phasesIn, runStatesIn } from '../../../domain/issue/label.js';
import type { Policy } from '../../../domain/limits/policy.js';
import type { Actor } from '../../../domain/state/snapshot.js';

/** Our own identity, to recognise our own events. */
export type Self = Policy['identity'];

/** Parses one kind of payload; `null` when it does not concern us, or we caused it. */
export type EventReader = (payload: unknown, self: Self) => GitHubEvent | null;

/** A reader for payloads of one schema; other payloads are ignored. */
export function reader<Payload>(
  schema: z.ZodType<Payload>,
  understand: (payload: Payload, self: Self) => GitHubEvent | null,
): EventReader {
  return (payload, self) => {
    const { data } = schema.safeParse(payload);
    return data === undefined ? null : understand(data, self);
  };
}

const sender = z.object({ id: z.number(), login: z.string(), type: z.string() });
/** Whether a repository can have this name, which becomes part of paths. */
const isRepository = (name: string): boolean => name === name.trim() && parseIssue(`${name}#1`) !== null;
/** A repository as payloads show it. */
export const repositoryShape = z
  .object({ name: z.string(), owner: z.object({ login: z.string() }) })
  .refine(({ name, owner }) => isRepository(`${owner.login}/${name}`));

/** What every event of a repository carries. */
export const common = { repository: repositoryShape, sender };

export const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Checks type and name, so that no bot counts as a person. */
export function toActor({ id, login, type }: z.output<typeof sender>): Actor {
  return { id, login, kind: type === 'User' && !login.endsWith('[bot]') ? 'human' : 'bot' };
}

export const issueOf = ({ name, owner }: z.output<typeof repositoryShape>, number: number): IssueRef => ({
  owner: owner.login,
  repo: name,
  number,
});

/** The parts of an issue that show whether it concerns us. */
export const issueShape = z.object({
  number: z.int32().positive(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])).nullish(),
  /** Set on pull requests. */
  pull_request: z.unknown().optional(),
  parent_issue_url: z.string().nullish(),
  issue_dependencies_summary: z.object({ total_blocking: z.number() }).nullish(),
});

/** Whether it has our labels: only then is or was it driven. */
export function isOurs({ labels }: z.output<typeof issueShape>): boolean {
  const names = (labels ?? []).map((label) => (typeof label === 'string' ? label : label.name));
  return phasesIn(names).length > 0 || runStatesIn(names).length > 0;
}

export function touchedIssue(repository: z.output<typeof repositoryShape>, number: number): GitHubEvent {
  return { kind: 'touched', ref: issueOf(repository, number) };
}

/** An event for the issue of a branch, if the branch is ours. */
export function touchedBranch(
  repository: z.output<typeof repositoryShape>,
  branch: string | null | undefined,
): GitHubEvent | null {
  const number = issueOfBranch(branch ?? '');
  return number === null ? null : touchedIssue(repository, number);
}
