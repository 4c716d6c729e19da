import type { Problem } from './command-error.js';
import { formatRepo, parseIssue, type RepoRef } from '../issue/ids.js';

/** An issue as a command names it. */
export interface NamedIssue {
  readonly number: number;
  /** Written as a plain number, which may also be a count. */
  readonly bare: boolean;
}

/** GitHub's numbers are 32 bits wide. */
const MAX_NUMBER = 2_147_483_647;

/**
 * The issues a word names: `12`, `#12`, `12,13`, `owner/repo#12` or an issue's address, as long as it is in this repository.
 * `null` for any other word.
 */
export function parseIssues(word: string, currentRepo: RepoRef | null): readonly NamedIssue[] | Problem | null {
  const named: NamedIssue[] = [];
  for (const part of word.split(',').filter((text) => text !== '')) {
    const issue = parseOneIssue(part, currentRepo);
    if (issue === null || 'kind' in issue) return issue;
    named.push(issue);
  }
  return named.length === 0 ? null : named;
}

function parseOneIssue(text: string, currentRepo: RepoRef | null): NamedIssue | Problem | null {
  const [, hash, digits] = /^(#?)([1-9]\d{0,9})$/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits) > MAX_NUMBER ? null : { number: Number(digits), bare: hash === '' };
  const [, repo, number] = /^https?:\/\/[^/\s]+\/([^/\s]+\/[^/\s]+)\/(?:issues|pull)\/(\d+)$/.exec(text) ?? [];
  const ref = parseIssue(repo === undefined ? text : `${repo}#${number}`);
  if (ref === null || ref.number > MAX_NUMBER) return null;
  const isHere = currentRepo !== null && formatRepo(ref).toLowerCase() === formatRepo(currentRepo).toLowerCase();
  return isHere ? { number: ref.number, bare: false } : { kind: 'other-repository', issue: text };
}
