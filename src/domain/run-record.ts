import type { AgentOutcome, RunFigures } from './outcome.js';

/** Every way an agent run can end, for whoever has to list them. */
const OUTCOMES: Readonly<Record<AgentOutcome['kind'], true>> = {
  succeeded: true,
  'no-op': true,
  failed: true,
  'turn-capped': true,
  'timed-out': true,
  'over-budget': true,
  stalled: true,
  looped: true,
  'context-overflow': true,
  quota: true,
  throttled: true,
  'provider-down': true,
  auth: true,
  billing: true,
  stopped: true,
  lost: true,
};
export const OUTCOME_KINDS = Object.keys(OUTCOMES) as readonly AgentOutcome['kind'][];

/** One phase run in figures: what is kept of it when its logs are gone. */
export interface RunSummary extends Omit<RunFigures, 'sessionId' | 'models'> {
  readonly outcome: AgentOutcome['kind'];
}

/** What to keep of how an agent ended. */
export function runSummary({ kind, figures }: AgentOutcome): RunSummary {
  const { sessionId: _session, models: _models, ...kept } = figures;
  return { outcome: kind, ...kept };
}
