import type { AgentPhase } from '../issue/phase.js';
import type { IssueState } from './state.js';

/** The result of a phase run as a short hash. The same phase, head and findings give the same hash. */
export function fingerprintProgress({ progress, feedback, halt }: IssueState, phase: AgentPhase): string {
  const { triage, spec, pushed, landed, review, verify, fix, wip } = progress;
  const facts = [
    phase,
    triage?.criteriaHash,
    spec?.criteriaHash,
    pushed?.head,
    landed?.oid,
    wip,
    fix?.head,
    ...(fix?.items ?? []),
    review?.head,
    ...(review?.findings ?? []).map(({ file, line, text }) => `${file}:${line ?? ''} ${text}`),
    verify?.oid,
    ...feedback,
    halt?.code,
  ];
  return `${phase}-${hash(JSON.stringify(facts))}`;
}

/** FNV-1a. Not for security, only to compare texts. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, '0');
}
