import type { AgentOutcome } from '../../domain/agent/outcome.js';
import type { HaltCode } from '../../domain/issue/halt-codes.js';
import type { Judgement } from './judgement.js';
import { failedResult, type PhaseResult } from './phase-result.js';

/* What the end of an agent means for its phase. */

/** The phase result for an agent that ended without a result. */
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

/** The phase result for a judgement other than `accepted`. `questionsCode` is the phase's own. */
export function resultOfJudgement(
  judgement: Exclude<Judgement<never>, { kind: 'accepted' }>,
  questionsCode: HaltCode = 'blocked',
): PhaseResult {
  if (judgement.kind === 'needs-human') {
    return { kind: 'needs-human', code: questionsCode, because: judgement.questions.join(' ') };
  }
  return failedResult(`the result was not good enough: ${judgement.reasons[0] ?? ''}`.slice(0, 300), judgement.reasons);
}
