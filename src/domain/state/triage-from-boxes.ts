import { createHash } from 'node:crypto';
import { type Criterion, criteriaText, describeMalformedBoxes, MAX_CRITERIA } from '../criteria/criterion.js';
import { effectiveSize } from '../issue/given-size.js';
import type { Size } from '../issue/size.js';
import type { IssueState, Triage } from './state.js';
import { visibleBoxes } from '../criteria/visible-boxes.js';

/** Identifies the criteria. A spec and an approval are bound to this hash. */
export function criteriaHash(criteria: readonly Criterion[]): string {
  return createHash('sha256').update(criteriaText(criteria)).digest('hex');
}

/** A permitted person says that the issue is ready as it is, so its boxes become the criteria. */
export function withTriageFromBoxes(state: IssueState): IssueState {
  const { run, progress } = state;
  const phase = run?.waiver?.phase;
  if (run === null || progress.triage !== null || phase === undefined || phase === 'issue' || phase === 'spec')
    return state;
  // Normal triage stops at a command that cannot be parsed and explains how to write it.
  if (describeMalformedBoxes(run.authorised.body).length > 0) return state;
  const triage = triageFromBoxes(run.authorised, run.waiver?.by ?? '', effectiveSize(run, null));
  return { ...state, progress: { ...progress, triage } };
}

function triageFromBoxes(
  { title, body }: { readonly title: string; readonly body: string },
  by: string,
  size: Size | null,
): Triage {
  const boxes = visibleBoxes(body).filter(({ text }) => text !== '');
  const asked = boxes.length === 0 ? [{ text: `What the issue asks for is done: ${title}`, verify: null }] : boxes;
  const criteria = asked.slice(0, MAX_CRITERIA).map(({ text, verify }, index) => ({
    id: `c${index + 1}`,
    text,
    verify: verify?.kind === 'malformed' ? null : verify,
    stage: 'pre-merge' as const,
  }));
  return {
    type: 'task',
    size: size ?? 'M',
    reasons: [`${by} set the phase by hand, so the issue was taken as it stands.`],
    summary: title,
    criteria,
    criteriaHash: criteriaHash(criteria),
  };
}
