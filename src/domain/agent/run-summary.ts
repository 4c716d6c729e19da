import type { AgentOutcome, RunFigures } from './outcome.js';

/** Every way an agent run can end. A record, so that the compiler reports a missing one. */
const OUTCOMES: Readonly<Record<AgentOutcome['kind'], true>> = {
  succeeded: true,
  'no-op': true,
  failed: true,
  'turn-capped': true,
  'timed-out': true,
  'over-budget': true,
  'day-budget': true,
  stalled: true,
  looped: true,
  'context-overflow': true,
  quota: true,
  throttled: true,
  'provider-down': true,
  auth: true,
  billing: true,
  held: true,
  stopped: true,
  lost: true,
};
export const OUTCOME_KINDS = Object.keys(OUTCOMES) as readonly AgentOutcome['kind'][];

/** One phase run in figures, kept after its logs are gone. Most figures are sums over its agents. */
export interface RunSummary
  extends Pick<
    RunFigures,
    | 'model'
    | 'turns'
    | 'ms'
    | 'waitedMs'
    | 'costUsd'
    | 'tokens'
    | 'steps'
    | 'resumes'
    | 'compactions'
    | 'processes'
    | 'maxRssMb'
  > {
  /** How the last agent ended. */
  readonly outcome: AgentOutcome['kind'];
}

/** Sums up the agents of a phase run; `null` when there was none. */
export function runSummary(outcomes: readonly AgentOutcome[]): RunSummary | null {
  const last = outcomes.at(-1);
  if (last === undefined) return null;
  const sum = (of: (figures: RunFigures) => number): number =>
    outcomes.reduce((total, { figures }) => total + of(figures), 0);
  const most = (of: (figures: RunFigures) => number): number => Math.max(...outcomes.map(({ figures }) => of(figures)));
  return {
    outcome: last.kind,
    model: last.figures.model,
    turns: sum(({ turns }) => turns),
    ms: sum(({ ms }) => ms),
    waitedMs: sum(({ waitedMs }) => waitedMs),
    costUsd: sum(({ costUsd }) => costUsd),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      cacheRead: sum(({ tokens }) => tokens.cacheRead),
      cacheWrite: sum(({ tokens }) => tokens.cacheWrite),
    },
    steps: sum(({ steps }) => steps),
    resumes: sum(({ resumes }) => resumes),
    compactions: sum(({ compactions }) => compactions),
    processes: most(({ processes }) => processes),
    maxRssMb: most(({ maxRssMb }) => maxRssMb),
  };
}
