import { currentPull, isDone, currentPhase, sizeOf, stateOf, verificationOf } from '../../state/evidence.js';
import { tickBoxes } from '../../criteria/criterion.js';
import { labelChange, type RunState } from '../../issue/label.js';
import type { Policy } from '../../limits/policy.js';
import type { CommentFacts, IssueSnapshot } from '../../state/snapshot.js';
import { publish } from '../../sanitise/publish.js';
import { splitSeal } from '../../sanitise/seal.js';
import { renderComments } from '../comments/render-comments.js';
import type { StatusFacts } from '../status/status-view.js';
import { phaseChecks } from '../pull-request/phase-checks.js';
import type { Change } from '../../action/change.js';
import { replyMarkerOf } from '../../issue/comment-marker.js';

/** Everything GitHub should show and does not. Empty means that GitHub shows our state. */
export function projectionChanges(snapshot: IssueSnapshot, policy: Policy, facts: StatusFacts): readonly Change[] {
  const commentChanges = comments(snapshot, policy, facts);
  return [
    ...labels(snapshot),
    ...commentChanges,
    ...duplicateReplies(snapshot, policy.identity.accountId),
    ...checkRuns(snapshot, policy, commentChanges.length > 0),
    ...ticks(snapshot),
    ...(isDone(snapshot) && snapshot.state === 'open' ? [{ kind: 'close' } as const] : []),
  ];
}

function labels(snapshot: IssueSnapshot): Change[] {
  const { progress } = stateOf(snapshot);
  const change = labelChange(snapshot.labels, {
    phase: currentPhase(snapshot),
    run: runState(snapshot),
    // If the project board already shows the size, labels are left alone.
    size: snapshot.projectSize === sizeOf(snapshot) ? null : sizeOf(snapshot),
    triaged: progress.triage !== null,
  });
  return change.add.length + change.remove.length === 0 ? [] : [{ kind: 'labels', ...change }];
}

function runState(snapshot: IssueSnapshot): RunState | null {
  const { halt } = stateOf(snapshot);
  if (halt !== null) return halt.state;
  return isDone(snapshot) ? null : 'running';
}

function comments(snapshot: IssueSnapshot, policy: Policy, facts: StatusFacts): Change[] {
  return renderComments(snapshot, policy, facts).flatMap(({ slot, marker, body }) => {
    const [oldest, ...others] = ours(snapshot, marker, policy.identity.accountId);
    const stale: Change[] = others.map(({ id }) => ({ kind: 'remove-comment', id }));
    if (oldest !== undefined && isShown(oldest.body, body, snapshot, policy)) return stale;
    return [{ kind: 'comment', slot, body, existing: oldest?.id ?? null }, ...stale];
  });
}

/** Answers that two instances gave at the same time. The oldest stays. */
function duplicateReplies({ comments: all }: IssueSnapshot, accountId: number): Change[] {
  const given = new Set<string>();
  return all.flatMap(({ id, author, body }) => {
    const marker = author?.id === accountId ? replyMarkerOf(body) : null;
    if (marker === null) return [];
    if (given.has(marker)) return [{ kind: 'remove-comment', id } as const];
    given.add(marker);
    return [];
  });
}

function ours({ comments: all }: IssueSnapshot, marker: string, accountId: number): CommentFacts[] {
  return all.filter(({ author, body }) => author?.id === accountId && body.startsWith(marker));
}

/**
 * Whether a comment has the wanted text. Its seal may be older than the newest state, because a new seal alone is no reason for an
 * edit: the next change of the text renews it. A missing or forged seal is a reason.
 */
export function isShown(there: string, wanted: string, snapshot: IssueSnapshot, { seals }: Policy): boolean {
  const [shown, ours] = [splitSeal(tidy(there)), splitSeal(tidy(wanted))];
  if (tidy(shown.text) !== tidy(ours.text)) return false;
  if (ours.seal === null) return true;
  return shown.seal !== null && seals?.isOurs(snapshot, shown.seal) === true;
}

/** GitHub may change line ends and trailing space. */
const tidy = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd();

/**
 * Check runs that are missing or different. The checks of a head that GitHub does not show, or whose checks it left out, are
 * unknown. They are written together with other changes, and not again until they can be read.
 */
function checkRuns(snapshot: IssueSnapshot, policy: Policy, hasNews: boolean): Change[] {
  const { identity, redact } = policy;
  const pull = currentPull(snapshot);
  if (pull === null || identity.appId === null) return [];
  const missing = phaseChecks(snapshot, policy).filter(({ name, head, conclusion }) => {
    if (pull.isCut) return hasNews;
    if (head !== pull.head) return hasNews && head === snapshot.workHead;
    const shown = pull.checks.find((check) => check.name === name && check.appId === identity.appId);
    return shown === undefined || (shown.outcome === 'green') !== (conclusion !== 'failure');
  });
  return missing.map((check) => ({ kind: 'check-run', ...check, summary: publish(check.summary, redact) }));
}

/** Ticks the boxes of the issue text whose criterion has passed on the landed commit. */
function ticks(snapshot: IssueSnapshot): Change[] {
  const { progress } = stateOf(snapshot);
  const verified = progress.done === null ? null : verificationOf(snapshot, progress.done.oid);
  if (verified === null || progress.triage === null) return [];
  const passed = new Set(verified.results.filter(({ verdict }) => verdict === 'PASS').map(({ id }) => id));
  const texts = new Set(progress.triage.criteria.filter(({ id }) => passed.has(id)).map(({ text }) => text));
  const body = tickBoxes(snapshot.body, texts);
  return body === snapshot.body ? [] : [{ kind: 'tick', body }];
}
