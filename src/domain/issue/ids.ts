/** A repository by name: `owner/repo`. */
export interface RepoRef {
  readonly owner: string;
  readonly repo: string;
}

/** An issue, always with its repository: a bare number is never enough. */
export interface IssueRef extends RepoRef {
  readonly number: number;
}

/** A git object id. */
export type Oid = string;

/** As git shortens it. */
export const shortOid = (oid: Oid): string => oid.slice(0, 7);

export function formatRepo({ owner, repo }: RepoRef): string {
  return `${owner}/${repo}`;
}

export function formatIssue(ref: IssueRef): string {
  return `${formatRepo(ref)}#${ref.number}`;
}

// Managed users of an enterprise end in an underscore and its short code: `ada_acme`.
const NAME = String.raw`[A-Za-z0-9][A-Za-z0-9_-]{0,38}`;
// In a path, `.` and `..` would lead to another folder. GitHub has no repositories with these names.
const REPO_NAME = String.raw`(?!\.{1,2}#)[\w.-]{1,100}`;
const ISSUE_REF = new RegExp(`^(${NAME})/(${REPO_NAME})#([1-9]\\d{0,9})$`);
/** GitHub's numbers are 32-bit integers. */
const LARGEST_NUMBER = 2 ** 31 - 1;

/** Parses `owner/repo#12`; `null` for anything else and for names that cannot exist on GitHub. */
export function parseIssue(text: string): IssueRef | null {
  const match = ISSUE_REF.exec(text.trim());
  if (match === null) return null;
  const [, owner = '', repo = '', number = ''] = match;
  return Number(number) > LARGEST_NUMBER ? null : { owner, repo, number: Number(number) };
}

/** The head branch of an issue's pull request. We find the pull request again by this name. */
export function workBranch(number: number): string {
  return `sluice/issue-${number}`;
}

/** The issue a work branch belongs to; `null` for any other branch. */
export function issueOfBranch(branch: string): number | null {
  const [, number] = /^sluice\/issue-([1-9]\d{0,9})$/.exec(branch) ?? [];
  return number === undefined ? null : Number(number);
}

/** The ref that holds our state of an issue. */
export function stateRefName(number: number): string {
  return `refs/sluice/issue-${number}`;
}

/** The last head of a work branch that was rewritten or deleted. It keeps people's commits reachable. */
export function previousHeadRef(number: number, head: Oid): string {
  return `refs/sluice/before/${number}/${head}`;
}

/** The ref for work of one phase run that could not go to the work branch. The next code run finds it. */
export function savedWorkRef(number: number, phaseRun: string): string {
  return `refs/sluice/wip/${number}/${phaseRun}`;
}
