import { formatUsd } from '../../limits/budgets.js';
import { HALT_CODES } from '../../issue/halt-codes.js';
import type { Instant } from '../../issue/instant.js';
import { quoteLine } from '../../sanitise/publish.js';
import { manualDecisionsText } from './manual-decisions.js';
import { formatCount, formatDuration, endSentence, foldSection, formatMoment } from '../phrases/figures.js';
import { shortOid } from '../../issue/ids.js';
import { openCriteria } from './open-criteria.js';
import { phaseTable } from './phase-table.js';
import { retrospective } from './retrospective.js';
import type { StatusView } from './status-view.js';
import { type WaitEnd, WAITS, type WaitView } from './waits.js';

/** How many transitions are shown. All are in the state ref's history. */
const MOST_TRANSITIONS = 25;

/** The text of the status comment. */
export function statusText(view: StatusView): string {
  return [
    `### ${headline(view)}`,
    '',
    ...situation(view),
    ...manualDecisionsText(view),
    ...pullReasonText(view),
    ...redChecksText(view),
    ...ignoredEditText(view),
    '',
    ...phaseTable(view),
    ...openCriteria(view.criteria),
    '',
    usage(view),
    ...foldSection('Details', details(view)),
    ...foldSection('What happened', transitionLines(view)),
  ].join('\n');
}

/** A short version, as an answer to a question about issue `number`. */
export function statusSummary(number: number, view: StatusView): string {
  const { pull, run, status } = view;
  return [
    `**#${number}: ${headline(view)}**`,
    '',
    ...situation(view),
    '',
    `${usage(view)}.`,
    [
      ...(pull === null || status === 'done' ? [] : [`Pull request #${pull}.`]),
      ...(run === null ? [] : [`Asked for by ${run.by} at ${formatMoment(run.at)}.`]),
    ].join(' '),
  ].join('\n');
}

function headline({ status, phase, halt, waits, checksFirst, pull }: StatusView): string {
  switch (status) {
    case 'done':
      return 'Done: landed and verified';
    case 'partly-done':
      return 'Landed; some criteria need a person';
    case 'needs-human':
      return `Stopped at ${phase}: a person is needed`;
    case 'failed':
      return 'Stopped: this did not work out';
    case 'paused':
      return halt?.code === 'stopped' ? 'Stopped by a person' : 'Paused';
    case 'waiting':
      return `Waiting for ${waits?.what ?? phase}`;
    case 'running':
      if (checksFirst) return 'Checks, then review';
      return phase === 'merge' && pull !== null ? `Merging #${pull}` : `Working: ${phase}`;
  }
}

/** Explains why a small change does not land directly. */
function pullReasonText({ pullReason, status }: StatusView): readonly string[] {
  if (pullReason === null || status === 'done') return [];
  return [
    '',
    `This goes through a pull request instead of straight to the base branch, because ${quoteLine(pullReason, 500)}.`,
  ];
}

/** Shown as soon as a check is red, not only when everything else is ready. */
function redChecksText({ otherRed, status, waits }: StatusView): readonly string[] {
  if (otherRed === '' || status === 'done' || waits?.topic === 'person') return [];
  return [
    '',
    `Red, and neither required by the base branch nor listed under \`checks\` in \`.github/sluice.yml\`: ${otherRed}. Sluice does not work on that, and does not merge before it is green.`,
  ];
}

/** Without the hash, so that repeated edits by an outsider do not change this comment each time. */
function ignoredEditText({ ignoredEdit: isIgnored, landed }: StatusView): readonly string[] {
  if (!isIgnored) return [];
  const remedy =
    landed === null
      ? 'To have it count, somebody with write permission asks with `/auto`, which names the hash of the text, and then writes `/auto approve HASH`.'
      : 'The work has landed and is judged by the text it was made for.';
  const what = 'The issue was edited since by somebody without write permission, or after the work landed.';
  return ['', `${what} That edit does not count. ${remedy}`];
}

/** What is happening, why, and what people can do. */
function situation(view: StatusView): readonly string[] {
  const { halt, waits, status } = view;
  if (halt !== null) {
    const { message, remedy } = HALT_CODES[halt.code];
    return [
      message,
      '',
      `**Why:** ${endSentence(quoteLine(halt.because, 1_000))}`,
      '',
      `**What you can do:** ${remedy}`,
    ];
  }
  if (status === 'done') return [doneSentence(view)];
  if (waits !== null) return waitText(waits);
  return [`${activity(view)} ${CONTROLS}`];
}

/** Why Sluice waits, what follows, and when it checks again. */
function waitText({ topic, because, until, isSoonOver }: WaitView): readonly string[] {
  const { help, end } = WAITS[topic];
  const follows = [help, nextCheckText(end, until, isSoonOver)].filter((part) => part !== '').join(' ');
  const why = endSentence(quoteLine(because, 600));
  return [`**Why:** ${why}`, '', `**What follows:** ${follows}`, '', WAITING];
}

function nextCheckText(end: WaitEnd, until: Instant | null, isSoonOver: boolean): string {
  switch (end) {
    case 'event':
      return 'Sluice looks again as soon as GitHub reports a change, and every ten minutes.';
    case 'rounds':
      return 'Sluice looks again every ten minutes.';
    case 'deadline':
      return until === null
        ? ''
        : `Sluice looks at every change. If that has not happened by ${formatMoment(until)}, it stops and asks for a person.`;
    case 'moment':
      if (isSoonOver) return 'Sluice looks again within a minute.';
      return until === null ? '' : `Sluice goes on by itself at ${formatMoment(until)}.`;
  }
}

const WAITING = 'Waiting costs nothing and uses up no attempt. `/auto stop` ends the run.';

const CONTROLS = '`/auto pause` lets the running phase finish, `/auto stop` ends it at once.';

function doneSentence({ landed, pull, criteria }: StatusView): string {
  const where = landed === null ? '' : ` as ${landed}`;
  return `Landed${where}${pull === null ? '' : ` through #${pull}`}, and ${formatCount(criteria.length, 'criterion holds', 'criteria hold')} there.`;
}

function activity({ phase, fix, head, pull, landed, wip, checksFirst, otherRed }: StatusView): string {
  if (checksFirst) return CHECKS_FIRST(head === null ? 'the new commit' : shortOid(head), pull);
  const commit = head === null ? 'the change' : shortOid(head);
  switch (phase) {
    case 'issue':
      return 'Estimating the size and writing the acceptance criteria.';
    case 'spec':
      return 'Working out how to do it.';
    case 'code':
      if (fix !== null)
        return `Working on what ${FIX_SOURCES[fix.source]} (${formatCount(fix.items.length, 'point')}).`;
      return wip === null ? 'Writing the change.' : `Going on with unfinished work (${shortOid(wip)}).`;
    case 'review':
      return `Reviewing ${commit}${pull === null ? '' : ` in #${pull}`}${otherRed === '' ? '; its checks are green' : ''}.`;
    case 'merge':
      return `${commit}${pull === null ? '' : ` in #${pull}`} is reviewed and its checks are green. It is merged as soon as GitHub says that it can be.`;
    case 'verify':
      return `Checking the acceptance criteria on ${landed === null ? 'the landed commit' : shortOid(landed)}.`;
    case 'done':
      return '';
  }
}

const CHECKS_FIRST = (commit: string, pull: number | null): string =>
  `The checks on ${commit}${pull === null ? '' : ` in #${pull}`} come first; once they are green, or none has shown up for a while, it is reviewed.`;

const FIX_SOURCES = {
  checks: 'failed in CI',
  review: 'the review found',
  verify: 'did not hold after landing',
  conflict: 'conflicts with the base branch',
  tests: 'the tests and criteria found',
  people: 'people asked for in their reviews',
} as const;

/** `Criteria met: 3 of 4 · agent runs: 2 of 20 · agents worked 12 min of 1 h 30 min · $0.84 of $12.00`. */
function usage({ criteria, used, totals, verifyIteration }: StatusView): string {
  const met = criteria.filter(({ verdict }) => verdict === 'PASS').length;
  const runs = `${used.runs} of ${used.maxRuns} agent runs`;
  const worked = `agents worked ${formatDuration(used.activeMs)} of ${formatDuration(used.maxActiveMs)}`;
  const money = `${formatUsd(used.usd)} of ${formatUsd(used.maxUsd)}`;
  const figures = totals.isResumed
    ? [
        `since it was taken up again ${runs}, ${worked}`,
        `in all ${formatCount(totals.runs, 'agent run')}, ${formatDuration(totals.ms)}, ${money}`,
      ]
    : [runs, worked, money];
  return [
    ...(criteria.length === 0 ? [] : [`${met} of ${formatCount(criteria.length, 'criterion', 'criteria')} met`]),
    ...figures,
    ...(verifyIteration.now === 0
      ? []
      : [`iteration ${verifyIteration.now + 1} of at most ${verifyIteration.most + 1}`]),
  ].join(' · ');
}

function details({ run, size, sizeReason, route, pull, landed, wip, held }: StatusView): readonly string[] {
  return [
    ...(run === null ? [] : [`- Asked for by ${run.by}, ${formatMoment(run.at)}`]),
    ...(run === null
      ? []
      : [
          `- Uses the issue text of ${formatMoment(run.at)} (\`${run.text.slice(0, 12)}\`); later edits by people without write permission are ignored`,
        ]),
    ...(run?.waiver == null
      ? []
      : [`- ${run.waiver.by} set \`phase/${run.waiver.phase}\`, which vouches for what comes before it`]),
    ...(run === null || run.options === '' ? [] : [`- Options: \`${run.options}\``]),
    ...(size === null ? [] : [`- Size ${size}, route ${route}${sizeReason === null ? '' : ` (${sizeReason})`}`]),
    ...(pull === null ? [] : [`- Pull request #${pull}`]),
    ...(landed === null ? [] : [`- Landed as ${landed}`]),
    ...(wip === null ? [] : [`- Unfinished work is kept as ${wip}`]),
    ...(held?.approvedBy == null
      ? []
      : [
          `- ${held.approvedBy} approved commit ${held.commit} with its changes to ${quoteLine(held.paths.join(', '))}`,
        ]),
  ];
}

function transitionLines(view: StatusView): readonly string[] {
  const lines = view.transitions
    .filter(({ because }) => because !== view.halt?.because)
    .slice(-MOST_TRANSITIONS)
    .map(({ at, phase, because }) => `- ${formatMoment(at).slice(5)} **${phase}** ${quoteLine(because, 200)}`);
  return [...lines, ...retrospective(view)];
}
