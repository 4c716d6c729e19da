import { formatUsd } from '../../limits/budgets.js';
import { type HaltCode, HALT_CODES } from '../../issue/halt-codes.js';
import { quoteText, quoteLine } from '../../sanitise/publish.js';
import { formatCount, formatDuration, listFirst, foldSection } from '../phrases/figures.js';
import { manualDecisionsText } from '../status/manual-decisions.js';
import { openCriteria } from '../status/open-criteria.js';
import { phaseTable } from '../status/phase-table.js';
import { retrospective } from '../status/retrospective.js';
import type { StatusView } from '../status/status-view.js';

/** Ends that a person just caused. The status comment is enough for them. */
const OWN_DOING: readonly HaltCode[] = ['stopped', 'paused', 'stopped-at'];

/** The report comment at the end of a run; `null` when none is needed. */
export function reportText(view: StatusView): string | null {
  switch (view.status) {
    case 'running':
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
    `### Done: ${quoteLine(view.title)}`,
    '',
    `${where}, and ${formatCount(criteria.length, 'acceptance criterion holds', 'acceptance criteria hold')} on that commit. ${cost(view)}`,
    ...manualDecisionsText(view),
    ...retrospective(view),
    ...foldSection('Phases', phaseTable(view)),
  ].join('\n');
}

function partlyDoneReport(view: StatusView): string {
  const open = view.criteria.filter(({ verdict }) => verdict === 'UNCERTAIN');
  return [
    `### Landed, with ${formatCount(open.length, 'criterion', 'criteria')} for a person: ${quoteLine(view.title)}`,
    '',
    `Everything that can be checked by itself holds${view.landed === null ? '' : ` on ${view.landed}`}. These need your eyes:`,
    '',
    ...listFirst(open.map(({ id, text }) => `**${id}** ${quoteLine(text)}`)),
    '',
    `**What you can do:** ${HALT_CODES['criteria-manual'].remedy}`,
    '',
    cost(view),
    ...retrospective(view),
    ...foldSection('Phases', phaseTable(view)),
  ].join('\n');
}

function stoppedReport(view: StatusView): string {
  const { halt, phase } = view;
  if (halt === null) return '';
  const { message, remedy } = HALT_CODES[halt.code];
  return [
    `### ${halt.state === 'failed' ? 'Gave up' : 'Stopped'} at ${phase}: ${quoteLine(view.title)}`,
    '',
    message,
    '',
    ...quotation(halt.because),
    ...lastFailure(view),
    ...openCriteria(view.criteria),
    '',
    `**What is kept:** ${keptText(view)}`,
    '',
    `**What you can do:** ${remedy}`,
    '',
    // The history is in the status comment, which is kept up to date.
    cost(view),
  ].join('\n');
}

const quotation = (text: string): readonly string[] =>
  quoteText(text)
    .split('\n')
    .map((line) => `> ${line}`);

/** Why the last attempt was not accepted, if the run stopped because all attempts failed. */
function lastFailure({ halt, transitions }: StatusView): readonly string[] {
  const last = halt?.code === 'phase-failed' ? transitions.findLast(({ kind }) => kind === 'failed') : undefined;
  return last === undefined ? [] : ['', 'The last time:', '', ...quotation(last.because)];
}

function keptText(view: StatusView): string {
  const { held } = view;
  return held?.approvedBy === null
    ? `${keptWorkText(view)} ${held.commit} is kept beside the branch.`
    : keptWorkText(view);
}

function keptWorkText({ pull, head, landed, wip, held }: StatusView): string {
  if (landed !== null) return `what has landed as ${landed}.`;
  if (pull !== null) return `pull request #${pull}${head === null ? '' : ` at ${head}`}.`;
  if (wip !== null) return `unfinished work at ${wip}, on its branch.`;
  return head === null
    ? `everything written on this issue; there is ${held === null ? 'no code yet' : 'no other code yet'}.`
    : `the work at ${head}, on its branch.`;
}

/** The sum over all runs of the issue, as in the table of phases. */
const cost = ({ used, totals }: StatusView): string => {
  const [runs, ms] = totals.isResumed ? [totals.runs, totals.ms] : [used.runs, used.activeMs];
  return `${totals.isResumed ? 'In all ' : ''}${formatCount(runs, 'agent run')}, ${formatDuration(ms)} of work, ${formatUsd(used.usd)}.`;
};
