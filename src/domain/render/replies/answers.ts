import type { Action } from '../../action/action.js';
import { formatFollowUp, formatAction } from '../phrases/format-action.js';
import { isDone, currentPhase, stateOf } from '../../state/evidence.js';
import { HALT_CODES } from '../../issue/halt-codes.js';
import { formatUsd } from '../../limits/budgets.js';
import type { Policy } from '../../limits/policy.js';
import type { IssueSnapshot } from '../../state/snapshot.js';
import { quoteLine } from '../../sanitise/publish.js';
import { formatDuration, endSentence } from '../phrases/figures.js';
import { statusSummary } from '../status/status-comment.js';
import { type StatusFacts, statusView } from '../status/status-view.js';

/* Answers to people who ask about an issue. */

/** `/auto status`: how far it is, what it cost, and where the work is. */
export function statusAnswer(snapshot: IssueSnapshot, policy: Policy, facts: StatusFacts): string {
  return noRunAnswer(snapshot) ?? statusSummary(snapshot.ref.number, statusView(snapshot, policy, facts));
}

/** `/auto explain`: what Sluice does next, and why. `upcoming` is the step after the projection. */
export function explainAnswer(snapshot: IssueSnapshot, action: Action, upcoming: Action): string {
  const { number } = snapshot.ref;
  const { halt } = stateOf(snapshot);
  const open = noRunAnswer(snapshot);
  if (open !== null) return open;
  if (action.kind === 'wait' && action.on === 'rest') {
    if (isDone(snapshot)) return `#${number} is done: its work has landed and was verified. Nothing is left to do.`;
    if (halt !== null)
      return `#${number} has stopped at \`${currentPhase(snapshot)}\`, because ${endSentence(quoteLine(halt.because, 600))} ${HALT_CODES[halt.code].message} ${HALT_CODES[halt.code].remedy}`;
  }
  const then = action.kind === 'effect' && action.effect.kind === 'project' ? formatFollowUp(upcoming) : '';
  return `#${number} is at \`${currentPhase(snapshot)}\`. Sluice’s next step is to ${formatAction(action)}${then}`;
}

/** The answer for an issue without a run; `null` when there is one. */
function noRunAnswer({ ref, reading, state }: IssueSnapshot): string | null {
  if (reading.kind === 'unverifiable') {
    const why = endSentence(quoteLine(reading.why, 300));
    return `What Sluice wrote down about #${ref.number} cannot be trusted: ${why} Somebody with write permission can start afresh with \`/auto\`.`;
  }
  if (reading.kind === 'valid' && reading.state.run !== null) return null;
  const how = state === 'closed' ? 'It is closed; once it is open again, `/auto` starts it.' : '`/auto` starts it.';
  return `Nobody has asked Sluice to work on #${ref.number}. ${how}`;
}

/** What `/auto` would do, for a dry run. */
export interface DryRun {
  readonly upcoming: Action;
  readonly facts: StatusFacts;
  /** A run is already in progress. */
  readonly isRunning: boolean;
}

/** `/auto --dry-run`: the phases it would go through, and its limits. `snapshot` is the issue as if the run had begun. */
export function dryRunAnswer(snapshot: IssueSnapshot, policy: Policy, dryRun: DryRun): string {
  const { upcoming, facts, isRunning } = dryRun;
  const { number } = snapshot.ref;
  const { size, route, rows, used } = statusView(snapshot, policy, facts);
  const phases = rows.filter(({ stage }) => stage !== 'passed').map(({ phase }) => `\`${phase}\``);
  return [
    isRunning
      ? `A run of #${number} is going already, so \`/auto\` would change nothing. What is left of it:`
      : `What \`/auto\` would do with #${number}:`,
    '',
    `- Size ${size ?? 'not known yet: triage finds it, and with it the way'}, route ${route}`,
    `- Phases: ${phases.length === 0 ? 'none' : phases.join(' → ')}`,
    `- Limits: ${used.maxRuns} agent runs, ${formatDuration(used.maxActiveMs)} of agents’ work, ${formatUsd(used.maxUsd)}`,
    `- First step: ${formatAction(upcoming)}`,
    '',
    'This was a dry run: nothing was done.',
  ].join('\n');
}
