import { currentPull, reviewOf, stateOf } from './completion.js';
import { boxesIn } from './criteria.js';
import { fixRequested } from './fix-request.js';
import { leftBehind, progressBefore } from './restart.js';
import type { Phase } from './phase.js';
import type { IssueSnapshot } from './snapshot.js';
import { type Halt, type Instant, NO_PROGRESS, type Progress, type VerifyRecord } from './state.js';

/* What a permitted person's word changes where a run has stopped: at some stops their decision is the very thing that is missing. */

/** How somebody asked a run to go on. */
export interface GoOnRequest {
  readonly by: string;
  readonly at: Instant;
  /** Hash of the issue's text as it is now. */
  readonly hash: string;
  readonly retry: Phase | null;
  /** It was `/auto continue`: where a person's judgement is missing, this gives it. No other command does. */
  readonly isContinue: boolean;
  /** What they said with it. */
  readonly text: string | null;
}

/** The same, without work that nobody approved: whoever goes on without approving it wants it done otherwise. */
export function progressToGoOn(snapshot: IssueSnapshot, asked: GoOnRequest): Progress {
  const progress = progressFrom(snapshot, asked);
  return progress.held?.approvedBy === null ? { ...progress, held: null } : progress;
}

/** A new text, or a finished issue, needs a new triage; the same text goes on from where it stopped. */
function progressFrom(snapshot: IssueSnapshot, asked: GoOnRequest): Progress {
  const { run, progress, halt } = stateOf(snapshot);
  // Told that it cannot be read, a person has it written anew all the same: then it is given up.
  const newestPull = halt?.code === 'pull-unreadable' ? (progress.pull?.number ?? null) : leftBehind(snapshot.pull);
  if (run?.authorised.hash !== asked.hash || progress.done !== null || halt?.code === 'reopened')
    return { ...NO_PROGRESS, supersededPr: newestPull ?? progress.supersededPr };
  if (asked.retry !== null) return progressBefore(progress, asked.retry, newestPull);
  switch (halt?.code) {
    case 'pr-closed':
      return afterClosedPull(snapshot);
    case 'criteria-manual':
      return afterOpenCriteria(snapshot, asked);
    case 'review-unresolved':
      return asked.isContinue && asked.text === null ? overruled(snapshot, asked) : progress;
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

/** `/auto continue`: they hold. `/auto continue TEXT`: they do not, and the text says why. Anything else has them judged again. */
function afterOpenCriteria(snapshot: IssueSnapshot, { by, isContinue, text }: GoOnRequest): Progress {
  const { progress } = stateOf(snapshot);
  const { verify } = progress;
  if (verify === null || !isContinue) return { ...progress, verify: null };
  if (text === null) return { ...progress, verify: vouched(verify, by, uncertain(verify)) };
  const ids = [...uncertain(verify)].join(', ');
  return fixRequested(snapshot, { source: 'verify', head: null, items: [`${ids}: ${by} looked and says: ${text}`] })
    .progress;
}

/** A permitted person lets the work through as it is, in spite of what our review of it found. */
export function overruled(snapshot: IssueSnapshot, { by, at }: Pick<GoOnRequest, 'by' | 'at'>): Progress {
  const { progress } = stateOf(snapshot);
  const head = currentPull(snapshot)?.head;
  if (head === undefined || reviewOf(snapshot, head) === null) return progress;
  return { ...progress, overruled: { head, by, at } };
}

const uncertain = ({ results }: VerifyRecord): ReadonlySet<string> =>
  new Set(results.filter(({ verdict }) => verdict === 'UNCERTAIN').map(({ id }) => id));

/** These criteria hold, by somebody's word. */
function vouched({ oid, results }: VerifyRecord, by: string, ids: ReadonlySet<string>): VerifyRecord {
  return {
    oid,
    results: results.map((result) =>
      ids.has(result.id) ? { ...result, verdict: 'PASS', evidence: `${by} checked it`, by } : result,
    ),
  };
}

/** Criteria that wait for a person and whose boxes were ticked since the text was vouched for. */
function tickedSince(snapshot: IssueSnapshot): ReadonlySet<string> {
  const { run, progress } = stateOf(snapshot);
  const { triage, verify } = progress;
  if (run === null || triage === null || verify === null) return new Set();
  const ticked = (body: string): ReadonlySet<string> =>
    new Set(boxesIn(body).flatMap((box) => (box.ticked ? [box.text] : [])));
  const before = ticked(run.authorised.body);
  const now = ticked(snapshot.body);
  const open = uncertain(verify);
  const texts = triage.criteria.filter(({ id, text }) => open.has(id) && now.has(text) && !before.has(text));
  return new Set(texts.map(({ id }) => id));
}

/** What came of something a person did elsewhere than in a command. */
export interface Settlement {
  /** Who did it; a settlement counts only if they may drive issues. */
  readonly by: IssueSnapshot['author'];
  readonly progress: Progress;
  /** `null`: it goes on. */
  readonly halt: Halt | null;
  readonly because: string;
}

/** What a person did on GitHub that answers the very thing a run stopped for; `null` when nobody did. */
export function settlementOf(snapshot: IssueSnapshot): Settlement | null {
  const { halt } = stateOf(snapshot);
  switch (halt?.code) {
    case 'pr-closed':
      return reopenedPull(snapshot);
    case 'criteria-manual':
      return tickedBoxes(snapshot, halt);
    case 'review-unresolved':
      return approvedHead(snapshot, halt);
    default:
      return null;
  }
}

function reopenedPull(snapshot: IssueSnapshot): Settlement | null {
  const pull = currentPull(snapshot);
  if (pull?.state !== 'open') return null;
  const by = pull.reopenedBy;
  const because = `${by?.login ?? 'somebody'} reopened pull request #${pull.number}`;
  return { by, progress: stateOf(snapshot).progress, halt: null, because };
}

function tickedBoxes(snapshot: IssueSnapshot, halt: Halt): Settlement | null {
  const { progress } = stateOf(snapshot);
  const ids = tickedSince(snapshot);
  if (ids.size === 0 || progress.verify === null || snapshot.editor === null) return null;
  const verify = vouched(progress.verify, snapshot.editor.login, ids);
  const left = [...uncertain(verify)].join(', ');
  return {
    by: snapshot.editor,
    progress: { ...progress, verify },
    halt: left === '' ? null : { ...halt, because: `${left} need a person` },
    because: `${snapshot.editor.login} ticked ${[...ids].join(', ')}`,
  };
}

/** An approval that was given knowing what our review found: after it had stopped the run, and of the very same commit. */
function approvedHead(snapshot: IssueSnapshot, halt: Halt): Settlement | null {
  const pull = currentPull(snapshot);
  const stoppedAt = stateOf(snapshot).transitions.findLast(({ because }) => because === halt.because)?.at ?? null;
  if (pull?.state !== 'open' || stoppedAt === null) return null;
  const approval = pull.reviews.findLast(
    ({ state, commit, at }) => state === 'approved' && commit === pull.head && at > stoppedAt,
  );
  if (approval === undefined) return null;
  const { author, at } = approval;
  const because = `${author.login} approved ${pull.head.slice(0, 7)} in spite of the findings`;
  return { by: author, progress: overruled(snapshot, { by: author.login, at }), halt: null, because };
}
