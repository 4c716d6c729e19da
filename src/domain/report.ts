import { currentPull, isDone, landedCommit, placeOf, routeFor, sizeOf, stateOf } from './completion.js';
import { type Criterion, formatVerify, type Verdict } from './criteria.js';
import { ERRORS } from './errors.js';
import { formatRoute, phasesOf } from './route.js';
import type { IssueSnapshot } from './snapshot.js';
import type { IssueState, Spec, Triage } from './state.js';

/* Every word Sluice writes on an issue. Pure functions of the state, so that a comment is only rewritten when something changed. */

/** Our comments, one of each kind per issue. */
export const COMMENT_SLOTS = ['status', 'triage', 'spec'] as const;
export type CommentSlot = (typeof COMMENT_SLOTS)[number];

/** First line of our comments: how we find them again. */
export const commentMarker = (slot: CommentSlot): string => `<!-- sluice:${slot} -->`;

/** GitHub's limit is 65,536; the rest is room for what it adds. */
const MAX_COMMENT = 60_000;

export interface RenderedComment {
  readonly slot: CommentSlot;
  readonly body: string;
}

/** The comments an issue in this state has. */
export function renderComments(snapshot: IssueSnapshot): readonly RenderedComment[] {
  const { triage, spec } = stateOf(snapshot).progress;
  return [
    ...(triage === null ? [] : [comment('triage', triageText(snapshot, triage))]),
    ...(spec === null ? [] : [comment('spec', specText(spec))]),
    comment('status', statusText(snapshot)),
  ];
}

function comment(slot: CommentSlot, text: string): RenderedComment {
  const body = `${commentMarker(slot)}\n${text}`;
  return {
    slot,
    body: body.length <= MAX_COMMENT ? body : `${body.slice(0, MAX_COMMENT)}\n\n… cut here: too long for a comment.`,
  };
}

function triageText(snapshot: IssueSnapshot, triage: Triage): string {
  return [
    `### Triage: size ${sizeOf(snapshot) ?? triage.size}, ${triage.type}`,
    '',
    triage.summary,
    '',
    ...triage.reasons.map((reason) => `- ${reason}`),
    '',
    '**Acceptance criteria**',
    '',
    ...triage.criteria.map((criterion) => criterionLine(snapshot, criterion)),
  ].join('\n');
}

function criterionLine(snapshot: IssueSnapshot, { id, text, verify, stage }: Criterion): string {
  const how = verify === null ? 'judged' : `\`${formatVerify(verify).replaceAll('`', "'")}\``;
  return `- ${MARKS[verdictOf(snapshot, id)]} **${id}** ${text} (${how}${stage === 'post-merge' ? ', after the merge' : ''})`;
}

const MARKS: Readonly<Record<Verdict | 'open', string>> = {
  PASS: '✅',
  FAIL: '❌',
  SKIPPED: '⏭️',
  UNCERTAIN: '❔',
  open: '▫️',
};

function verdictOf(snapshot: IssueSnapshot, id: string): Verdict | 'open' {
  return stateOf(snapshot).progress.verify?.results.find((result) => result.id === id)?.verdict ?? 'open';
}

function specText(spec: Spec): string {
  return [
    '### Spec',
    '',
    spec.approach,
    '',
    '**Files**',
    '',
    ...spec.files.map((file) => `- \`${file}\``),
    '',
    '**Steps**',
    '',
    ...spec.steps.map(
      (step, index) =>
        `${index + 1}. ${step.text}${step.criteria.length === 0 ? '' : ` (${step.criteria.join(', ')})`}`,
    ),
    ...(spec.risks.length === 0 ? [] : ['', '**Risks**', '', ...spec.risks.map((risk) => `- ${risk}`)]),
  ].join('\n');
}

function statusText(snapshot: IssueSnapshot): string {
  const state = stateOf(snapshot);
  return [
    `### ${headline(snapshot, state)}`,
    '',
    ...haltLines(state),
    ...factLines(snapshot, state),
    '',
    '| phase | | time | cost | notes |',
    '|---|---|---|---|---|',
    ...phaseRows(snapshot, state),
    ...failureLines(state),
  ].join('\n');
}

function headline(snapshot: IssueSnapshot, state: IssueState): string {
  if (isDone(snapshot)) return 'Done: landed and verified';
  if (state.halt?.state === 'failed') return 'Stopped: this did not work out';
  if (state.halt !== null) return 'Waiting for a person';
  return `Working: ${placeOf(snapshot)}`;
}

function haltLines({ halt }: IssueState): string[] {
  if (halt === null) return [];
  const { message, remedy } = ERRORS[halt.code];
  return [`${message} (${halt.because})`, '', `**What you can do:** ${remedy}`, ''];
}

function factLines(snapshot: IssueSnapshot, state: IssueState): string[] {
  const pull = currentPull(snapshot);
  const landed = landedCommit(snapshot);
  const size = sizeOf(snapshot);
  const criteria = state.progress.triage?.criteria ?? [];
  const passed = criteria.filter(({ id }) => verdictOf(snapshot, id) === 'PASS').length;
  return [
    ...(state.run === null ? [] : [`- Started by ${state.run.by.login}`]),
    ...(size === null ? [] : [`- Size ${size}, route ${formatRoute(routeFor(snapshot))}`]),
    ...(pull === null ? [] : [`- Pull request #${pull.number}`]),
    ...(landed === null ? [] : [`- Landed as ${landed.oid}`]),
    ...(criteria.length === 0 ? [] : [`- Criteria ${passed}/${criteria.length}`]),
    `- Agent runs ${state.counters.agentRuns}, $${state.spentUsd.toFixed(2)}`,
  ];
}

function phaseRows(snapshot: IssueSnapshot, state: IssueState): string[] {
  const place = placeOf(snapshot);
  const phases = phasesOf(routeFor(snapshot), sizeOf(snapshot)).filter((phase) => phase !== 'done');
  const reached = phases.findIndex((phase) => phase === place);
  return phases.map((phase, index) => {
    const mark =
      isDone(snapshot) || (reached >= 0 && index < reached)
        ? '✅'
        : index === reached
          ? state.halt === null
            ? '🔄'
            : '⏸️'
          : '';
    const runs = state.transitions.filter((transition) => transition.phase === phase && transition.ms !== undefined);
    const ms = runs.reduce((sum, run) => sum + (run.ms ?? 0), 0);
    const cost = runs.reduce((sum, run) => sum + (run.costUsd ?? 0), 0);
    const note = state.transitions.findLast((transition) => transition.phase === phase)?.because ?? '';
    return `| ${phase} | ${mark} | ${runs.length === 0 ? '' : duration(ms)} | ${runs.length === 0 ? '' : `$${cost.toFixed(2)}`} | ${note.replaceAll('|', '\\|').replaceAll('\n', ' ')} |`;
  });
}

function failureLines(state: IssueState): string[] {
  const failed = (state.progress.verify?.results ?? []).filter(
    (result) => result.verdict !== 'PASS' && result.verdict !== 'SKIPPED',
  );
  if (failed.length === 0) return [];
  return [
    '',
    '**Criteria that do not hold**',
    '',
    ...failed.map(({ id, verdict, evidence }) => `- **${id}** ${verdict}: ${oneLine(evidence)}`),
  ];
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 300);

/** `3 s`, `4 min`, `1 h 5 min`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
