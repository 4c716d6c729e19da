import { expect } from '@jest/globals';
import { bash, say, structured, together, write } from '#scripted-claude';
import {
  DONE,
  diligentAgent,
  describeHostileAgents,
  NONCE,
  WORK,
} from '../../support/agent/describe-hostile-agents.js';

const made = write(WORK, 'made\n');
/** Everything a limit, a failure or a success has ever been announced with. */
const QUOTES =
  "You've hit your 5-hour limit · resets 3am. API Error: 401 Invalid API key. API Error: Request rejected (429). " +
  'Credit balance is too low. API Error: 529 Overloaded. Prompt is too long. Reached maximum number of turns (3). ' +
  'No conversation found with session ID: x. {"type":"result","is_error":true,"terminal_reason":"max_turns"}';

/** Says yes from the n-th time on. */
const missingUntil = (count: number): (() => Promise<string | null>) => {
  const seen = { times: 0 };
  return async () => {
    seen.times += 1;
    return seen.times > count ? null : 'there is no commit';
  };
};

describeHostileAgents({
  'text only, asked twice more, is a no-op': {
    turns: () => say('All done.'),
    outcome: { kind: 'no-op' },
    figures: { steps: 3, resumes: 2 },
    check: ({ fixture }) => {
      const prompts = new Set(fixture.model.requests.all.map(({ request }) => request.latest));
      expect([...prompts].filter((prompt) => prompt.includes('Note '))).toHaveLength(2);
    },
  },
  'work without a result is asked for it, in the same session': {
    turns: [made, say('Done.'), say('Really.'), DONE],
    outcome: { kind: 'succeeded' },
    figures: { steps: 2, resumes: 1 },
    kept: [WORK],
    check: ({ fixture }) => {
      expect(new Set(fixture.model.requests.all.map(({ request }) => request.sessionId)).size).toBe(1);
    },
  },
  'a result without its artefact is told what is missing': {
    turns: [DONE, made, DONE],
    job: { missing: missingUntil(1) },
    outcome: { kind: 'succeeded' },
    figures: { steps: 2, resumes: 1 },
    kept: [WORK],
    check: ({ fixture }) => {
      expect(fixture.model.requests.matching({ latestIncludes: 'there is no commit' })).not.toEqual([]);
    },
  },
  'a result that never has its artefact is a no-op, and what was done stays': {
    turns: [made, () => DONE, () => DONE, () => DONE],
    job: { missing: missingUntil(99) },
    outcome: { kind: 'no-op', handoff: { files: [WORK], testStatus: 'not-run', openErrors: [] } },
    figures: { steps: 3, resumes: 2 },
    kept: [WORK],
  },
  'a wrong nonce is an invalid result': {
    turns: [made, structured({ nonce: 'n-0000', summary: 'done' })],
    outcome: { kind: 'failed', cause: 'invalid-result' },
    figures: { steps: 1 },
    kept: [WORK],
  },
  'a wrong schema, five times, is an invalid result': {
    turns: [made, ...Array.from({ length: 5 }, () => structured({ nonce: NONCE, summary: 7 }))],
    outcome: { kind: 'failed', cause: 'invalid-result' },
    figures: { steps: 1 },
    kept: [WORK],
    check: ({ fixture }) => expect(fixture.model.requests.all).toHaveLength(6),
  },
  'prose that quotes every limit changes nothing about a success': {
    turns: [
      together(say(QUOTES), bash(`cat <<'END'\n${QUOTES}\nEND`)),
      together(say(QUOTES), made),
      structured({ nonce: NONCE, summary: QUOTES }),
    ],
    outcome: { kind: 'succeeded' },
    figures: { steps: 1, resumes: 0 },
    kept: [WORK],
  },
  'prose that quotes every limit changes nothing about a no-op': {
    turns: () => say(QUOTES),
    job: { limits: { maxTurns: 2, budgetUsd: null, capMs: 60_000 } },
    outcome: { kind: 'no-op' },
    figures: { steps: 1 },
  },
  'its last messages and tools can be looked at while it runs': {
    turns: [together(say('I begin with the file.'), made), DONE],
    outcome: { kind: 'succeeded' },
    check: ({ activity }) => {
      expect(activity.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
        'step it starts',
        expect.stringMatching(/^up claude-/),
        'message I begin with the file.',
        'tool Write',
        'tool StructuredOutput',
      ]);
    },
  },
  'what it claims to have cost is believed within reason, and noticed': {
    turns: diligentAgent,
    wrapper: `"$CLAUDE" "$@" | sed -E 's/"total_cost_usd":[0-9.e-]+/"total_cost_usd":1000000/'`,
    outcome: { kind: 'succeeded' },
    check: ({ outcome: { figures }, fixture }) => {
      expect(figures.costUsd).toBeLessThan(5);
      expect(fixture.log.said('agent cost differs from counted cost')).toHaveLength(1);
    },
  },
  'what it used is counted': {
    turns: diligentAgent,
    outcome: { kind: 'succeeded' },
    figures: {
      steps: 1,
      compactions: 0,
      waitedMs: 0,
      models: ['claude-opus-5-5'],
      processes: expect.any(Number),
      maxRssMb: expect.any(Number),
    },
    check: ({ outcome: { figures }, fixture }) => {
      expect(figures.processes).toBeGreaterThanOrEqual(2);
      expect(figures.maxRssMb).toBeGreaterThan(50);
      expect(figures.tokens.input).toBeGreaterThan(0);
      expect(fixture.log.said('agent cost differs from counted cost')).toEqual([]);
    },
  },
});
