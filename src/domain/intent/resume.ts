import { shortOid } from '../issue/ids.js';
import { currentPull, reviewOf, stateOf } from '../state/evidence.js';
import { findBoxes } from '../criteria/criterion.js';
import { withFixRequest } from '../state/fix-request.js';
import { approvedOnly } from '../state/unasked-work.js';
import { supersededPullNumber, progressBefore } from '../state/restart.js';
import type { Phase } from '../issue/phase.js';
import type { IssueSnapshot } from '../state/snapshot.js';
import { type Halt, EMPTY_PROGRESS, type Progress, type VerifyRecord } from '../state/state.js';
import type { Instant } from '../issue/instant.js';

/* What changes when a permitted person resumes a stopped run. At some stops, their decision is exactly what was missing. */

/** A person's request to resume a run. */
export interface ResumeRequest {
  readonly by: string;
  readonly at: Instant;
  /** Hash of the issue's text as it is now. */
  readonly hash: string;
  readonly retry: Phase | null;
  /** It was `/auto continue`, the only command that supplies a person's judgement where one is missing. */
  readonly isContinue: boolean;
  /** The text they wrote with it. */
  readonly text: string | null;
}

/** The same, without held work that was not approved: a person who resumes without approving it wants it done differently. */
export function resumeProgress(snapshot: IssueSnapshot, request: ResumeRequest): Progress {
  const progress = progressAfterStop(snapshot, request);
  const wasAsked = stateOf(snapshot).halt?.code === 'off-limits';
  return wasAsked ? { ...progress, held: approvedOnly(progress.held) } : progress;
}

/** A new text or a finished issue needs a new triage. With the same text, the run continues where it stopped. */
function progressAfterStop(snapshot: IssueSnapshot, request: ResumeRequest): Progress {
  const { run, progress, halt } = stateOf(snapshot);
  // The person was told that the pull request cannot be read and resumes anyway, so it is abandoned.
  const newestPull =
    halt?.code === 'pull-unreadable' ? (progress.pull?.number ?? null) : supersededPullNumber(snapshot.pull);
  if (run?.authorised.hash !== request.hash || progress.done !== null || halt?.code === 'reopened')
    return { ...EMPTY_PROGRESS, supersededPr: newestPull ?? progress.supersededPr };
  // Somebody replaced the branch, so unfinished work cannot continue on it. The next code run starts from base.
  const kept = halt?.code === 'work-unrelated' ? { ...progress, wip: null } : progress;
  if (request.retry !== null) return progressBefore(kept, request.retry, newestPull);
  switch (halt?.code) {
    case 'pr-closed':
      return afterClosedPull(snapshot);
    case 'criteria-manual':
      return afterOpenCriteria(snapshot, request);
    case 'review-unresolved':
      return request.isContinue && request.text === null ? overruleReview(snapshot, request) : progress;
    default:
      return progress;
  }
}

/** The same work, on another pull request. */
function afterClosedPull(snapshot: IssueSnapshot): Progress {
  const { progress } = stateOf(snapshot);
  const pull = currentPull(snapshot);
  return pull?.state === 'closed' ? { ...progress, supersededPr: pull.number } : progress;
}

/** `/auto continue`: the criteria hold. `/auto continue TEXT`: they do not, and the text says why. Anything else: judge them again. */
function afterOpenCriteria(snapshot: IssueSnapshot, { by, isContinue, text }: ResumeRequest): Progress {
  const { progress } = stateOf(snapshot);
  const { verify } = progress;
  if (verify === null || !isContinue) return { ...progress, verify: null };
  if (text === null) return { ...progress, verify: vouchForCriteria(verify, by, uncertainCriteria(verify)) };
  const ids = [...uncertainCriteria(verify)].join(', ');
  return withFixRequest(snapshot, { source: 'verify', head: null, items: [`${ids}: ${by} looked and says: ${text}`] })
    .progress;
}

/** A permitted person accepts the work as it is, in spite of our review's findings. */
export function overruleReview(snapshot: IssueSnapshot, { by, at }: Pick<ResumeRequest, 'by' | 'at'>): Progress {
  const { progress } = stateOf(snapshot);
  const head = currentPull(snapshot)?.head;
  if (head === undefined || reviewOf(snapshot, head) === null) return progress;
  return { ...progress, overruled: { head, by, at } };
}

const uncertainCriteria = ({ results }: VerifyRecord): ReadonlySet<string> =>
  new Set(results.filter(({ verdict }) => verdict === 'UNCERTAIN').map(({ id }) => id));

/** Marks these criteria as passed, because a person says so. */
function vouchForCriteria({ oid, results }: VerifyRecord, by: string, ids: ReadonlySet<string>): VerifyRecord {
  return {
    oid,
    results: results.map((result) =>
      ids.has(result.id) ? { ...result, verdict: 'PASS', evidence: `${by} checked it`, by } : result,
    ),
  };
}

/** Criteria that wait for a person and whose boxes were ticked after the text was authorised. */
function criteriaTickedSince(snapshot: IssueSnapshot): ReadonlySet<string> {
  const { run, progress } = stateOf(snapshot);
  const { triage, verify } = progress;
  if (run === null || triage === null || verify === null) return new Set();
  const ticked = (body: string): ReadonlySet<string> =>
    new Set(findBoxes(body).flatMap((box) => (box.ticked ? [box.text] : [])));
  const before = ticked(run.authorised.body);
  const now = ticked(snapshot.body);
  const open = uncertainCriteria(verify);
  const texts = triage.criteria.filter(({ id, text }) => open.has(id) && now.has(text) && !before.has(text));
  return new Set(texts.map(({ id }) => id));
}

/** The effect of something a person did on GitHub without a command. */
export interface Resolution {
  /** Who did it. It counts only if they may drive issues. */
  readonly by: IssueSnapshot['author'];
  readonly progress: Progress;
  /** `null`: the run continues. */
  readonly halt: Halt | null;
  readonly because: string;
}

/** What a person did on GitHub that resolves the reason a run stopped; `null` when nobody did. */
export function findResolution(snapshot: IssueSnapshot): Resolution | null {
  const { halt } = stateOf(snapshot);
  switch (halt?.code) {
    case 'pr-closed':
      return reopenedPullResolution(snapshot);
    case 'criteria-manual':
      return tickedBoxesResolution(snapshot, halt);
    case 'review-unresolved':
      return approvedHeadResolution(snapshot, halt);
    default:
      return null;
  }
}

function reopenedPullResolution(snapshot: IssueSnapshot): Resolution | null {
  const pull = currentPull(snapshot);
  if (pull?.state !== 'open') return null;
  const by = pull.reopenedBy;
  const because = `${by?.login ?? 'somebody'} reopened pull request #${pull.number}`;
  return { by, progress: stateOf(snapshot).progress, halt: null, because };
}

function tickedBoxesResolution(snapshot: IssueSnapshot, halt: Halt): Resolution | null {
  const { progress } = stateOf(snapshot);
  const ids = criteriaTickedSince(snapshot);
  if (ids.size === 0 || progress.verify === null || snapshot.editor === null) return null;
  const verify = vouchForCriteria(progress.verify, snapshot.editor.login, ids);
  const left = [...uncertainCriteria(verify)].join(', ');
  return {
    by: snapshot.editor,
    progress: { ...progress, verify },
    halt: left === '' ? null : { ...halt, because: `${left} need a person` },
    because: `${snapshot.editor.login} ticked ${[...ids].join(', ')}`,
  };
}

/** An approval that overrules our review. It counts only if given after the review stopped the run, and for the same commit. */
function approvedHeadResolution(snapshot: IssueSnapshot, halt: Halt): Resolution | null {
  const pull = currentPull(snapshot);
  const stoppedAt = stateOf(snapshot).transitions.findLast(({ because }) => because === halt.because)?.at ?? null;
  if (pull?.state !== 'open' || stoppedAt === null) return null;
  const approval = pull.reviews.findLast(
    ({ state, commit, at }) => state === 'approved' && commit === pull.head && at > stoppedAt,
  );
  if (approval === undefined) return null;
  const { author, at } = approval;
  const because = `${author.login} approved ${shortOid(pull.head)} in spite of the findings`;
  return { by: author, progress: overruleReview(snapshot, { by: author.login, at }), halt: null, because };
}
