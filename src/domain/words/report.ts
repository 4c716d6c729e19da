import { formatUsd } from '../budget.js';
import { type ErrorCode, ERRORS } from '../errors.js';
import { quoted, quotedLine } from '../text/publish.js';
import { count, duration, firstFew, folded } from './figures.js';
import { byHandText } from './by-hand.js';
import { openCriteria } from './open-criteria.js';
import { phaseTable } from './phase-table.js';
import { retrospective } from './retrospective.js';
import type { StatusView } from './status-view.js';

/** Ends that somebody brought about a moment ago: the status comment is enough for them. */
const OWN_DOING: readonly ErrorCode[] = ['stopped', 'paused', 'stopped-at'];

/** What is said once, in a comment of its own, when a run has come to rest; `null` when there is nothing to say. */
export function reportText(view: StatusView): string | null {
  switch (view.standing) {
    case 'working':
    case 'waiting':
      return null;
    case 'done':
      return doneReport(view);
    case 'partly-done':
      return partlyDoneReport(view);
    case 'needs-human':
    case 'paused':
    case 'failed':
      return view.halt === null || OWN_DOING.includes(view.halt.code) ? null : stoppedReport(view);
  }
}

function doneReport(view: StatusView): string {
  const { landed, pull, criteria } = view;
  const through = pull === null ? '' : ` through #${pull}`;
  const where = landed === null ? 'It has landed' : `It has landed as ${landed}${through}`;
  return [
    `### Done: ${quotedLine(view.title)}`,
    '',
    `${where}, and ${count(criteria.length, 'acceptance criterion holds', 'acceptance criteria hold')} on that commit. ${cost(view)}`,
    ...byHandText(view),
    ...retrospective(view),
    ...folded('Phases', phaseTable(view)),
  ].join('\n');
}

function partlyDoneReport(view: StatusView): string {
  const open = view.criteria.filter(({ verdict }) => verdict === 'UNCERTAIN');
  return [
    `### Landed, with ${count(open.length, 'criterion', 'criteria')} for a person: ${quotedLine(view.title)}`,
    '',
    `Everything that can be checked by itself holds${view.landed === null ? '' : ` on ${view.landed}`}. These need your eyes:`,
    '',
    ...firstFew(open.map(({ id, text }) => `**${id}** ${quotedLine(text)}`)),
    '',
    `**What you can do:** ${ERRORS['criteria-manual'].remedy}`,
    '',
    cost(view),
    ...retrospective(view),
    ...folded('Phases', phaseTable(view)),
  ].join('\n');
}

function stoppedReport(view: StatusView): string {
  const { halt, place } = view;
  if (halt === null) return '';
  const { message, remedy } = ERRORS[halt.code];
  return [
    `### ${halt.state === 'failed' ? 'Gave up' : 'Stopped'} at ${place}: ${quotedLine(view.title)}`,
    '',
    message,
    '',
    ...quotation(halt.because),
    ...lastFailure(view),
    ...openCriteria(view.criteria),
    '',
    `**What is kept:** ${kept(view)}`,
    '',
    `**What you can do:** ${remedy}`,
    '',
    // How it got here is in the status comment, which is kept up to date.
    cost(view),
  ].join('\n');
}

const quotation = (text: string): readonly string[] =>
  quoted(text)
    .split('\n')
    .map((line) => `> ${line}`);

/** Why the last attempt was not accepted, when attempts are what ran out. */
function lastFailure({ halt, story }: StatusView): readonly string[] {
  const last = halt?.code === 'phase-failed' ? story.findLast(({ what }) => what === 'failed') : undefined;
  return last === undefined ? [] : ['', 'The last time:', '', ...quotation(last.because)];
}

function kept(view: StatusView): string {
  const { held } = view;
  return held?.approvedBy === null
    ? `${keptElsewhere(view)} ${held.commit} is kept beside the branch.`
    : keptElsewhere(view);
}

function keptElsewhere({ pull, head, landed, wip, held }: StatusView): string {
  if (landed !== null) return `what has landed as ${landed}.`;
  if (pull !== null) return `pull request #${pull}${head === null ? '' : ` at ${head}`}.`;
  if (wip !== null) return `unfinished work at ${wip}, on its branch.`;
  return head === null
    ? `everything written on this issue; there is ${held === null ? 'no code yet' : 'no other code yet'}.`
    : `the work at ${head}, on its branch.`;
}

/** All of the issue's runs together, as the table of phases adds up. */
const cost = ({ used, inAll }: StatusView): string => {
  const [runs, ms] = inAll.isResumed ? [inAll.runs, inAll.ms] : [used.runs, used.activeMs];
  return `${inAll.isResumed ? 'In all ' : ''}${count(runs, 'agent run')}, ${duration(ms)} of work, ${formatUsd(used.usd)}.`;
};
