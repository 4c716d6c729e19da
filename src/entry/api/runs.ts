import { formatInstant } from '../../domain/issue/instant.js';
import { formatIssue, type IssueRef, parseIssue } from '../../domain/issue/ids.js';
import type { RunOptions } from '../../domain/issue/options.js';
import { isAtRest, type RunEntry, type EntryStatus } from '../../domain/events/run-entry.js';
import type { LiveRun, StopKind } from '../../domain/events/run-event.js';
import type { Instant } from '../../ports/clock.js';
import type { RunPreview } from '../../usecases/intent/preview-run.js';
import type { RunReport } from '../../usecases/report/run-report.js';
import { type Answer, withEtag } from './answer.js';
import { ApiError, noSuchIssue } from './api-error.js';
import { invalid } from './read-request.js';

/** The result of a start. */
export type StartAnswer =
  /** `startsAt` is its slot in the queue of new issues, if it has to wait. */
  | { readonly kind: 'started'; readonly run: string; readonly startsAt: Instant | null }
  | { readonly kind: 'already-running' }
  | { readonly kind: 'gone' }
  /** The operator has not listed the repository. */
  | { readonly kind: 'not-served' }
  /** It cannot start; one sentence per reason. */
  | { readonly kind: 'refused'; readonly reasons: readonly string[] };

/** The result of a stop. */
export type StopAnswer = 'stopping' | 'not-running' | 'gone';

/** What the API can do with runs. Without options, those of the previous run apply. */
export interface RunService {
  /** The start is written when it resolves. Of several at once exactly one is `started`. */
  start(issue: IssueRef, by: string, options: RunOptions | undefined): Promise<StartAnswer>;
  /** `null` when there is no such issue. */
  preview(issue: IssueRef, by: string, options: RunOptions | undefined): Promise<RunPreview | null>;
  stop(issue: IssueRef, by: string, how: StopKind): Promise<StopAnswer>;
  /** `null` when there is no such issue. */
  report(issue: IssueRef): Promise<RunReport | null>;
  /** A hint: also `null` when it is unknown. */
  live(issue: IssueRef): Promise<LiveRun | null>;
  runs(): Promise<readonly RunEntry[]>;
}

export const runLocation = ({ owner, repo, number }: IssueRef): string =>
  `/api/repos/${owner}/${repo}/issues/${number}/auto`;

/** The name recorded for a run. `by` is only a note. */
export const nameOf = (by: string | undefined): string => (by === undefined ? 'api' : `api (${by})`);

export async function startRun(
  service: RunService,
  issue: IssueRef,
  asked: RunOptions & { by?: string },
): Promise<Answer> {
  const { by, ...options } = asked;
  if (options.dryRun === true) {
    const { dryRun: _only, ...rest } = options;
    const preview = await service.preview(issue, nameOf(by), given(rest));
    if (preview === null) throw noSuchIssue();
    return { status: 200, body: preview };
  }
  const location = runLocation(issue);
  const started = await service.start(issue, nameOf(by), given(options));
  switch (started.kind) {
    case 'started': {
      const { run, startsAt } = started;
      return {
        status: 201,
        body: { issue, run, startsAt: startsAt === null ? null : formatInstant(startsAt), location },
        headers: { location },
      };
    }
    case 'already-running':
      throw new ApiError(409, 'already-running', {
        message: `${formatIssue(issue)} is being driven already.`,
        remedy: 'Look at it, or DELETE it first to start it with other options.',
        location,
        headers: { location },
      });
    case 'gone':
      throw noSuchIssue();
    case 'not-served':
      throw new ApiError(403, 'not-served', {
        message: `This Sluice does not work on ${issue.owner}/${issue.repo}.`,
        remedy: 'Its operator has to list the repository; ask them.',
      });
    case 'refused':
      throw new ApiError(422, 'refused', {
        message: `${formatIssue(issue)} cannot be started.`,
        remedy: 'Change what the reasons name, and ask again.',
        reasons: started.reasons,
      });
  }
}

const given = (options: RunOptions): RunOptions | undefined =>
  Object.keys(options).length === 0 ? undefined : options;

export async function stopRun(
  service: RunService,
  issue: IssueRef,
  by: string | undefined,
  how: StopKind,
): Promise<Answer> {
  const stopped = await service.stop(issue, nameOf(by), how);
  if (stopped === 'gone') throw noSuchIssue();
  if (stopped === 'not-running') throw notDriven(issue);
  const location = runLocation(issue);
  return { status: 202, body: { issue, how, location }, headers: { location } };
}

export async function showRun(service: RunService, issue: IssueRef, known: string | undefined): Promise<Answer> {
  const report = await service.report(issue);
  if (report === null) throw noSuchIssue();
  if (report.status === 'not-driven') throw notDriven(issue);
  const live = report.lease === null ? null : await service.live(issue);
  const answer = withEtag({ ...report, live: live === null ? null : liveView(live) }, known);
  return { ...answer, headers: { ...answer.headers, 'content-location': runLocation(report.issue) } };
}

/** An agent's activity, with readable times. */
export function liveView({ at, phase, phaseRun, recent }: LiveRun) {
  return {
    at: formatInstant(at),
    phase,
    phaseRun,
    recent: recent.map((one) => ({ ...one, at: formatInstant(one.at) })),
  };
}

export interface RunsWanted {
  readonly status: 'active' | 'all' | EntryStatus;
  readonly repo?: string;
  readonly limit: number;
  /** The end of the previous page. */
  readonly after?: string;
}

export async function listRuns(service: RunService, { status, repo, limit, after }: RunsWanted): Promise<Answer> {
  const from = after === undefined ? null : parseCursor(after);
  const wanted = (await service.runs())
    .filter((entry) => status === 'all' || (status === 'active' ? !isAtRest(entry) : entry.status === status))
    .filter(({ issue }) => repo === undefined || repo.toLowerCase() === `${issue.owner}/${issue.repo}`.toLowerCase())
    .toSorted(latestFirst)
    .filter((entry) => from === null || latestFirst(from, entry) < 0);
  const page = wanted.slice(0, limit);
  const last = wanted.length > limit ? page.at(-1) : undefined;
  const runs = page.map((entry) => ({ ...entry, at: formatInstant(entry.at), location: runLocation(entry.issue) }));
  return { status: 200, body: { runs, next: last === undefined ? null : formatCursor(last) } };
}

type RunPosition = Pick<RunEntry, 'at' | 'issue'>;

const latestFirst = (a: RunPosition, b: RunPosition): number =>
  b.at - a.at || formatIssue(a.issue).localeCompare(formatIssue(b.issue), 'en');

const formatCursor = ({ at, issue }: RunPosition): string =>
  Buffer.from(`${at} ${formatIssue(issue)}`).toString('base64url');

function parseCursor(text: string): RunPosition {
  const [at = '', name = ''] = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const issue = parseIssue(name);
  if (!/^\d{1,15}$/.test(at) || issue === null) throw invalid(['after: not the `next` of a page']);
  return { at: Number(at), issue };
}

const notDriven = (issue: IssueRef): ApiError =>
  new ApiError(404, 'not-driven', {
    message: `Sluice is not driving ${formatIssue(issue)}.`,
    remedy: 'POST to the same address to start it.',
  });
