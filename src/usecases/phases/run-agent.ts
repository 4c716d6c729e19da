import { stoppingHold } from '../../domain/limits/policy.js';
import { type AgentOutcome, NO_FIGURES } from '../../domain/agent/outcome.js';
import type { Oid } from '../../domain/issue/ids.js';
import { NO_OPTIONS } from '../../domain/issue/options.js';
import { limitsFor } from '../../domain/limits/budgets.js';
import { modelFor } from '../../domain/limits/tier.js';
import { sizeOf, stateOf } from '../../domain/state/evidence.js';
import type { Clone } from '../../ports/workspace.js';
import { recordActivity } from '../events/record-events.js';
import type { PhaseRun } from './phase-run.js';

/** The task of an agent. */
interface AgentWork {
  readonly prompt: string;
  readonly schema: object;
  readonly nonce: string;
  /** What else is missing although the result is good. */
  readonly missing?: (result: unknown) => Promise<string | null>;
}

/** Runs an agent within the run's remaining bounds, if the account admits it. */
export async function runAgent(run: PhaseRun, clone: Clone, work: AgentWork): Promise<AgentOutcome> {
  const { engine, snapshot, action, phaseRun, signal } = run;
  const { ref } = snapshot;
  const { phase } = action;
  const { run: record, counters, spentUsd } = stateOf(snapshot);
  const asked = { size: sizeOf(snapshot), options: record?.options ?? NO_OPTIONS };
  const limits = limitsFor(phase, { ...asked, config: engine.budgets }, { spentUsd, activeMs: counters.activeMs });
  const admission = await engine.modelAccount.admit(phaseRun, ref, { usd: limits.budgetUsd, ms: limits.capMs });
  if (admission.kind === 'held')
    return { kind: 'held', why: admission.hold.because, handoff: null, figures: NO_FIGURES };
  const ended = await engine.agent.run({
    ...work,
    phase,
    phaseRun,
    clone,
    model: modelFor(phase, { ...asked, config: engine.models }),
    limits: { ...limits, budgetUsd: Math.min(limits.budgetUsd, admission.usd) },
    signal,
    mayStart: () => killSwitch(run),
    onActivity: recordActivity(engine, { issue: ref, phase, phaseRun }),
  });
  // The day's budget ended it. Raising the run's own would not help.
  const isDayOver = ended.kind === 'over-budget' && admission.usd < limits.budgetUsd;
  const outcome: AgentOutcome = isDayOver ? { ...ended, kind: 'day-budget' } : ended;
  run.outcomes.push(outcome);
  await engine.modelAccount.recordEnd(phaseRun, ref, { ...outcome, costUsd: outcome.figures.costUsd });
  return outcome;
}

/** Why no agent may start now: the service's kill switch, or the repository's configuration at the tip of base. */
async function killSwitch({ engine, snapshot }: PhaseRun): Promise<string | null> {
  const { ref, base } = snapshot;
  const baseRef = `refs/heads/${base.ref}`;
  // When git does not answer, the configuration from the start of the phase applies.
  const refs = await engine.gitHost.fetch(ref, [baseRef]).catch(() => new Map<string, Oid>());
  const head = refs.get(baseRef) ?? base.head;
  return stoppingHold(await engine.policyFor({ ...snapshot, base: { ...base, head } }))?.because ?? null;
}
