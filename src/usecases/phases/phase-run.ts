import type { Action } from '../../domain/action/action.js';
import { limitsFor } from '../../domain/limits/budgets.js';
import { sizeOf, stateOf } from '../../domain/state/evidence.js';
import { trimOutput } from '../../domain/criteria/command-output.js';
import type { Criterion, CriterionResult } from '../../domain/criteria/criterion.js';
import type { Oid } from '../../domain/issue/ids.js';
import { NO_OPTIONS } from '../../domain/issue/options.js';
import { type AgentOutcome, NO_FIGURES } from '../../domain/agent/outcome.js';
import { stoppingHold } from '../../domain/limits/policy.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { modelFor } from '../../domain/limits/tier.js';
import type { Clone } from '../../ports/workspace.js';
import type { Engine, Observer } from '../engine.js';
import { failedResult, type PhaseResult } from './phase-result.js';
import type { Judgement } from '../phases/judgement.js';
import type { PhaseContext } from '../phases/prompt.js';
import { recordActivity } from '../events/record-events.js';

export type RunAction = Extract<Action, { kind: 'run' }>;

/** Everything one phase run works with. */
export interface PhaseRun {
  readonly engine: Engine;
  readonly snapshot: IssueSnapshot;
  readonly action: RunAction;
  readonly phaseRun: string;
  readonly signal: AbortSignal;
  /** Somebody else works on this issue now. */
  readonly isLeaseLost: () => boolean;
  /** How the agents of this phase run ended, one after the other: what they cost counts, whatever comes of it. */
  readonly outcomes: AgentOutcome[];
  /** What its agents have written, newest last: kept, whatever comes of the run. */
  readonly commits: Oid[];
}

/** Opens a clone at a commit, lets `task` use it, and removes it whatever happens. */
export async function withClone<T>(
  run: PhaseRun,
  name: string,
  at: Oid,
  task: (clone: Clone) => Promise<T>,
): Promise<T> {
  const { engine, snapshot, phaseRun, signal } = run;
  const clone = await engine.workspace.open({
    ref: snapshot.ref,
    phaseRun: `${phaseRun}-${name}`,
    at,
    base: snapshot.base.head,
    signal,
  });
  try {
    return await task(clone);
  } finally {
    await clone.dispose();
  }
}

/** Enough to say what an agent would be told, without running one. */
export interface PromptInputs {
  readonly engine: Observer;
  readonly snapshot: IssueSnapshot;
}

/** What every prompt is made from. */
export async function phaseContext({ engine, snapshot }: PromptInputs): Promise<PhaseContext> {
  const state = stateOf(snapshot);
  const { title, body } = state.run?.authorised ?? snapshot;
  return {
    ref: snapshot.ref,
    nonce: engine.newId(),
    fence: engine.newId().replaceAll(/[^a-zA-Z0-9]/g, ''),
    issue: { title, body, isTrusted: state.run?.authorTrusted ?? false },
    base: { ref: snapshot.base.ref, oid: snapshot.base.head },
    test: await engine.testCommand(snapshot.ref, snapshot.base.head),
    handoff: state.handoff,
    guidance: state.run?.guidance ?? null,
    feedback: state.feedback,
  };
}

/** What an agent is to do. */
interface AgentWork {
  readonly prompt: string;
  readonly schema: object;
  readonly nonce: string;
  /** What is missing besides a good result. */
  readonly missing?: (result: unknown) => Promise<string | null>;
}

/** Runs an agent within what is left of the run's bounds, if the account lets it. */
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
  // Its own budget was not what ended it, and raising that would not help.
  const isDayOver = ended.kind === 'over-budget' && admission.usd < limits.budgetUsd;
  const outcome: AgentOutcome = isDayOver ? { ...ended, kind: 'day-budget' } : ended;
  run.outcomes.push(outcome);
  await engine.modelAccount.recordEnd(phaseRun, ref, { ...outcome, costUsd: outcome.figures.costUsd });
  return outcome;
}

/** What stops agents at this moment: the service's kill switch, and the repository's configuration on the tip of base. */
async function killSwitch({ engine, snapshot }: PhaseRun): Promise<string | null> {
  const { ref, base } = snapshot;
  const baseRef = `refs/heads/${base.ref}`;
  // When git does not answer, what was read when the phase began still holds.
  const refs = await engine.gitHost.fetch(ref, [baseRef]).catch(() => new Map<string, Oid>());
  const head = refs.get(baseRef) ?? base.head;
  return stoppingHold(await engine.policyFor({ ...snapshot, base: { ...base, head } }))?.because ?? null;
}

/** An outcome without a result, as what the phase came to. */
export function resultOfOutcome(outcome: Exclude<AgentOutcome, { kind: 'succeeded' }>): PhaseResult {
  switch (outcome.kind) {
    case 'throttled':
    case 'provider-down':
    case 'auth':
    case 'billing':
      return { kind: 'never-ran', because: `the model could not be reached: ${outcome.why}` };
    case 'held':
      return { kind: 'never-ran', because: `no agent may start now: ${outcome.why}` };
    case 'quota':
      return { kind: 'never-ran', because: 'the account has reached its usage limit' };
    case 'stopped':
      return { kind: 'stopped', because: 'it was told to end' };
    case 'no-op':
      return failedResult('the agent ended without a result', [
        'You ended without calling StructuredOutput. Do the work, then call it.',
      ]);
    case 'turn-capped':
      return { kind: 'partial', because: 'the agent used all its turns; the next run goes on' };
    case 'over-budget':
      return { kind: 'needs-human', code: 'over-budget', because: outcome.why };
    case 'day-budget':
      return { kind: 'partial', because: `the day’s budget is used up, and the next run goes on: ${outcome.why}` };
    case 'timed-out':
      return failedResult('the agent ran out of time', [
        'You did not finish in the time there is. Take the shortest way.',
      ]);
    case 'looped':
      return failedResult('the agent said the same again and again', ['You were going in circles. Try another way.']);
    case 'context-overflow':
      return { kind: 'needs-human', code: 'too-big', because: 'not even a fresh session had room for it' };
    case 'failed':
      if (outcome.cause === 'limits') return { kind: 'needs-human', code: 'limits', because: outcome.why };
      return failedResult(`the agent failed: ${outcome.why}`, outcome.cause === 'invalid-result' ? [outcome.why] : []);
    case 'stalled':
    case 'lost':
      return failedResult(`the agent failed: ${outcome.why}`, []);
  }
}

/** A judgement that is not an acceptance, as what the phase came to. */
export function resultOfJudgement(
  { action }: PhaseRun,
  judgement: Exclude<Judgement<never>, { kind: 'accepted' }>,
): PhaseResult {
  if (judgement.kind === 'needs-human') {
    const code = action.phase === 'issue' ? 'questions-open' : 'blocked';
    return { kind: 'needs-human', code, because: judgement.questions.join(' ') };
  }
  return failedResult(`the result was not good enough: ${judgement.reasons[0] ?? ''}`.slice(0, 300), judgement.reasons);
}

/**
 * Runs the criteria that have a command, on the commit the clone stands on. Files are looked at first: the commands run what an
 * agent wrote, which may write files.
 */
export async function checkCriteria(
  { signal }: PhaseRun,
  clone: Clone,
  criteria: readonly Criterion[],
  which: 'files' | 'commands' | 'all' = 'all',
): Promise<readonly CriterionResult[]> {
  const isCommand = ({ verify }: Criterion): boolean => verify?.kind === 'command';
  const looks = which === 'commands' ? [] : criteria.filter((criterion) => !isCommand(criterion));
  const commands = which === 'files' ? [] : criteria.filter(isCommand);
  const results: CriterionResult[] = [];
  for (const { id, verify } of [...looks, ...commands]) {
    if (verify === null) continue;
    const { passed, timedOut = false, overLimit = false, output } = await clone.check(verify, signal);
    // What a command that was ended would have said is not known.
    const verdict = passed ? 'PASS' : timedOut || overLimit ? 'UNCERTAIN' : 'FAIL';
    results.push({ id, verdict, evidence: trimOutput(passed, output) });
  }
  return orderResults(criteria, results);
}

/** Results in the order of their criteria. */
export function orderResults(
  criteria: readonly Criterion[],
  results: readonly CriterionResult[],
): readonly CriterionResult[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  return criteria.flatMap(({ id }) => byId.get(id) ?? []);
}
