import type { Action } from '../../domain/action.js';
import { stateOf } from '../../domain/completion.js';
import type { Criterion, CriterionResult } from '../../domain/criteria.js';
import type { Oid } from '../../domain/ids.js';
import type { AgentOutcome } from '../../domain/outcome.js';
import type { IssueSnapshot } from '../../domain/snapshot.js';
import type { Clone } from '../../ports/workspace.js';
import type { Engine, Observer } from '../engine.js';
import { failed, type PhaseResult } from '../phase-result.js';
import type { Judgement } from '../phases/judgement.js';
import type { PhaseContext } from '../phases/prompt.js';

export type RunAction = Extract<Action, { kind: 'run' }>;

/** Everything one phase run works with. */
export interface Workbench {
  readonly engine: Engine;
  readonly snapshot: IssueSnapshot;
  readonly action: RunAction;
  readonly phaseRun: string;
  readonly signal: AbortSignal;
}

const MAX_TURNS = 200;
const AGENT_CAP_MS = 60 * 60_000;
const WINDOW_TOKENS = 200_000;

/** Opens a clone at a commit, lets `task` use it, and removes it whatever happens. */
export async function withClone<T>(
  bench: Workbench,
  name: string,
  at: Oid,
  task: (clone: Clone) => Promise<T>,
): Promise<T> {
  const { engine, snapshot, phaseRun, signal } = bench;
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
export interface Desk {
  readonly engine: Observer;
  readonly snapshot: IssueSnapshot;
}

/** What every prompt is made from. */
export async function phaseContext({ engine, snapshot }: Desk): Promise<PhaseContext> {
  const state = stateOf(snapshot);
  const { title, body } = state.run?.authorised ?? snapshot;
  return {
    ref: snapshot.ref,
    nonce: engine.newId(),
    fence: engine.newId().replaceAll(/[^a-zA-Z0-9]/g, ''),
    issue: { title, body },
    base: { ref: snapshot.base.ref, oid: snapshot.base.head },
    test: await engine.testCommand(snapshot.ref, snapshot.base.head),
    handoff: state.handoff,
    feedback: state.feedback,
  };
}

export async function runAgent(
  bench: Workbench,
  clone: Clone,
  work: { readonly prompt: string; readonly schema: object; readonly nonce: string },
): Promise<AgentOutcome> {
  const { engine, action, phaseRun, signal } = bench;
  return engine.agent.run({
    ...work,
    phase: action.phase,
    phaseRun,
    clone,
    model: { id: null, fallback: null, windowTokens: WINDOW_TOKENS },
    limits: { maxTurns: MAX_TURNS, budgetUsd: null, capMs: AGENT_CAP_MS },
    signal,
  });
}

/** An outcome without a result, as what the phase came to. */
export function withoutResult(outcome: Exclude<AgentOutcome, { kind: 'succeeded' }>): PhaseResult {
  const { costUsd } = outcome.figures;
  switch (outcome.kind) {
    case 'throttled':
    case 'provider-down':
    case 'auth':
    case 'billing':
      return { kind: 'never-ran', because: `the model could not be reached: ${outcome.why}`, costUsd };
    case 'quota':
      return { kind: 'never-ran', because: 'the account has reached its usage limit', costUsd };
    case 'stopped':
      return { kind: 'never-ran', because: 'stopped', costUsd };
    case 'no-op':
      return failed(
        'the agent ended without a result',
        ['You ended without calling StructuredOutput. Do the work, then call it.'],
        costUsd,
      );
    case 'turn-capped':
    case 'over-budget':
    case 'timed-out':
      return failed(
        `the agent ran out (${outcome.kind})`,
        ['You did not finish in the time and turns there are. Take the shortest way.'],
        costUsd,
      );
    case 'looped':
    case 'context-overflow':
      return failed(`the agent got stuck (${outcome.kind})`, ['Take smaller steps.'], costUsd);
    case 'failed':
      return failed(
        `the agent failed: ${outcome.why}`,
        outcome.cause === 'invalid-result' ? [outcome.why] : [],
        costUsd,
      );
    case 'stalled':
    case 'lost':
      return failed(`the agent failed: ${outcome.why}`, [], costUsd);
  }
}

/** A judgement that is not an acceptance, as what the phase came to. */
export function notAccepted(judgement: Exclude<Judgement<never>, { kind: 'accepted' }>, costUsd: number): PhaseResult {
  if (judgement.kind === 'needs-human') return { kind: 'needs-human', because: judgement.questions.join(' '), costUsd };
  return failed(
    `the result was not good enough: ${judgement.reasons[0] ?? ''}`.slice(0, 300),
    judgement.reasons,
    costUsd,
  );
}

/** Runs the criteria that have a command, on the commit the clone stands on. */
export async function checkCriteria(
  { signal }: Workbench,
  clone: Clone,
  criteria: readonly Criterion[],
): Promise<readonly CriterionResult[]> {
  const results: CriterionResult[] = [];
  for (const { id, verify } of criteria) {
    if (verify === null) continue;
    const { passed, output } = await clone.check(verify, signal);
    results.push({ id, verdict: passed ? 'PASS' : 'FAIL', evidence: output });
  }
  return results;
}
