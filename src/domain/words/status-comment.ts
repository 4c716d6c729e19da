import { formatUsd } from '../budget.js';
import { ERRORS } from '../errors.js';
import { quotedLine } from '../text/publish.js';
import { count, duration, folded, moment, shortOid } from './figures.js';
import { byHandText } from './by-hand.js';
import { openCriteria } from './open-criteria.js';
import { phaseTable } from './phase-table.js';
import { retrospective } from './retrospective.js';
import type { StatusView } from './status-view.js';

/** How much of the story is told; all of it is in the state ref's history. */
const TOLD = 25;

/** The one comment that tells the whole story. */
export function statusText(view: StatusView): string {
  return [
    `### ${headline(view)}`,
    '',
    ...situation(view),
    ...byHandText(view),
    ...throughPull(view),
    ...(view.ignoredEdit ? ['', IGNORED_EDIT] : []),
    '',
    ...phaseTable(view),
    ...openCriteria(view.criteria),
    '',
    usage(view),
    ...folded('Details', details(view)),
    ...folded('What happened', story(view)),
  ].join('\n');
}

function headline({ standing, place, halt, waits }: StatusView): string {
  switch (standing) {
    case 'done':
      return 'Done: landed and verified';
    case 'partly-done':
      return 'Landed; some criteria need a person';
    case 'needs-human':
      return 'Waiting for a person';
    case 'failed':
      return 'Stopped: this did not work out';
    case 'paused':
      return halt?.code === 'stopped' ? 'Stopped by a person' : 'Paused';
    case 'waiting':
      return waits?.what == null ? `Waiting: ${place} is next` : `Waiting for ${waits.what}`;
    case 'working':
      return `Working: ${place}`;
  }
}

/** People who expect a small change to land directly are told why this one does not. */
function throughPull({ pullReason, standing }: StatusView): readonly string[] {
  if (pullReason === null || standing === 'done') return [];
  return [
    '',
    `This goes through a pull request instead of straight to the base branch, because ${quotedLine(pullReason, 500)}.`,
  ];
}

const IGNORED_EDIT =
  'The issue was edited since by somebody without write permission. That edit does not count; `/auto` by somebody who has it vouches for the text as it is now.';

/** What is going on, why, and what one can do about it. */
function situation(view: StatusView): readonly string[] {
  const { halt, waits, standing } = view;
  if (halt !== null) {
    const { message, remedy } = ERRORS[halt.code];
    return [`${message} (${quotedLine(halt.because, 1_000)})`, '', `**What you can do:** ${remedy}`];
  }
  if (standing === 'done') return [doneSentence(view)];
  if (waits !== null && waits.what !== null)
    return [`Nothing is merged yet: ${quotedLine(waits.because, 600)}. ${PATIENCE} ${CONTROLS}`];
  if (waits !== null) {
    const until =
      waits.until === null
        ? 'It goes on when somebody has seen to that.'
        : `Goes on by itself at ${moment(waits.until)}.`;
    return [
      `Nothing is started now: ${quotedLine(waits.because)}. ${until} Waiting costs nothing and uses up no attempt.`,
    ];
  }
  return [`${activity(view)} ${CONTROLS}`];
}

const PATIENCE = 'Sluice goes on by itself as soon as that has happened. Waiting costs nothing and uses up no attempt.';

const CONTROLS = '`/auto pause` lets the running phase finish, `/auto stop` ends it at once.';

function doneSentence({ landed, pull, criteria }: StatusView): string {
  const where = landed === null ? '' : ` as ${landed}`;
  return `Landed${where}${pull === null ? '' : ` through #${pull}`}, and ${count(criteria.length, 'criterion holds', 'criteria hold')} there.`;
}

function activity({ place, fix, head, pull, landed, wip }: StatusView): string {
  const commit = head === null ? 'the change' : shortOid(head);
  switch (place) {
    case 'issue':
      return 'Sizing the issue and writing down when it is done.';
    case 'spec':
      return 'Working out how to do it.';
    case 'code':
      if (fix !== null) return `Working on what ${FIX_SOURCES[fix.source]} (${count(fix.items.length, 'point')}).`;
      return wip === null ? 'Writing the change.' : `Going on with unfinished work (${shortOid(wip)}).`;
    case 'review':
      return `Checks and review of ${commit}${pull === null ? '' : ` in #${pull}`}.`;
    case 'merge':
      return `Merging ${commit}${pull === null ? '' : ` of #${pull}`}.`;
    case 'verify':
      return `Checking the acceptance criteria on ${landed === null ? 'the landed commit' : shortOid(landed)}.`;
    case 'done':
      return '';
  }
}

const FIX_SOURCES = {
  checks: 'failed in CI',
  review: 'the review found',
  verify: 'did not hold after landing',
  conflict: 'conflicts with the base branch',
  tests: 'the tests and criteria found',
  people: 'people asked for in their reviews',
} as const;

/** `Criteria 3/4 · Runs 2/20 · 12 min of 1 h 30 min · $0.84 of $12.00`. */
function usage({ criteria, used, verifyIteration }: StatusView): string {
  const met = criteria.filter(({ verdict }) => verdict === 'PASS').length;
  return [
    ...(criteria.length === 0 ? [] : [`Criteria ${met}/${criteria.length}`]),
    `Runs ${used.runs}/${used.maxRuns}`,
    `${duration(used.activeMs)} of ${duration(used.maxActiveMs)}`,
    `${formatUsd(used.usd)} of ${formatUsd(used.maxUsd)}`,
    ...(verifyIteration.now === 0
      ? []
      : [`Iteration ${verifyIteration.now + 1} of at most ${verifyIteration.most + 1}`]),
  ].join(' · ');
}

function details({ run, size, route, pull, landed, wip }: StatusView): readonly string[] {
  return [
    ...(run === null ? [] : [`- Asked for by ${run.by}, ${moment(run.at)}`]),
    ...(run === null
      ? []
      : [`- Works from the text with the hash \`${run.text.slice(0, 12)}\`; later edits by others do not count`]),
    ...(run?.waiver == null
      ? []
      : [`- ${run.waiver.by} set \`phase/${run.waiver.phase}\`, which vouches for what comes before it`]),
    ...(run === null || run.options === '' ? [] : [`- Options: \`${run.options}\``]),
    ...(size === null ? [] : [`- Size ${size}, route ${route}`]),
    ...(pull === null ? [] : [`- Pull request #${pull}`]),
    ...(landed === null ? [] : [`- Landed as ${landed}`]),
    ...(wip === null ? [] : [`- Unfinished work is kept as ${wip}`]),
  ];
}

function story(view: StatusView): readonly string[] {
  const lines = view.story
    .slice(-TOLD)
    .map(({ at, phase, because }) => `- ${moment(at).slice(5)} **${phase}** ${quotedLine(because, 200)}`);
  return [...lines, ...retrospective(view)];
}
