import { type MessageTurn, type ModelRequest, say, type Script } from '#scripted-claude';
import { type Brief, readBrief } from './brief.js';
import { code, merge } from './code.js';
import { specify, triage } from './plan.js';
import { review, verify } from './review.js';

type PhaseAnswer = (brief: Brief, request: ModelRequest) => MessageTurn;

const PHASES: ReadonlyMap<string, { readonly answer: PhaseAnswer; readonly needsCriteria: boolean }> = new Map([
  ['issue', { answer: triage, needsCriteria: false }],
  ['spec', { answer: specify, needsCriteria: true }],
  ['code', { answer: code, needsCriteria: true }],
  ['merge', { answer: merge, needsCriteria: true }],
  ['review', { answer: review, needsCriteria: true }],
  ['verify', { answer: verify, needsCriteria: true }],
]);

/**
 * A simple replacement for the model. It uses the CLI's real tools and knows only the prompt. If a part of the prompt is missing it refuses
 * and gives no result.
 */
export function createBrain(): readonly Script[] {
  return [{ name: 'brain', when: {}, turns: answer }];
}

function answer(request: ModelRequest): MessageTurn {
  const brief = readBrief(request);
  if ('missing' in brief) return say(`I cannot work on this: the prompt lacks ${brief.missing}.`);
  const phase = PHASES.get(brief.phase);
  if (phase === undefined) return say(`I cannot work on this: I know no phase ${brief.phase}.`);
  if (phase.needsCriteria && brief.criteria.length === 0)
    return say('I cannot work on this: the prompt lacks the criteria.');
  return phase.answer(brief, request);
}
