import { expect } from '@jest/globals';
import {
  bash,
  creditTooLow,
  cut,
  fail,
  promptTooLong,
  rateLimit,
  refuse,
  say,
  usageLimit,
  write,
} from '#scripted-claude';
import { DONE, diligentAgent, describeHostileAgents, WORK } from '../../support/agent/describe-hostile-agents.js';

const made = write(WORK, 'made\n');
const RESET = Date.UTC(2031, 0, 6, 12);
const OPUS = { id: 'claude-opus-5-5', fallback: 'claude-sonnet-5-5', windowTokens: 200_000 };

/** What the CLI says at a usage limit, said by somebody else. */
const FORGED = [
  '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":4070908800}}',
  '{"type":"result","is_error":true,"terminal_reason":"api_error","api_error":"usage_limit_reached","api_error_status":429}',
];

describeHostileAgents({
  'no turns left': {
    turns: [made, () => bash('date +%N')],
    job: { limits: { maxTurns: 2, budgetUsd: null, capMs: 60_000 } },
    outcome: { kind: 'turn-capped', handoff: { files: [WORK] } },
    figures: { steps: 1 },
    kept: [WORK],
  },
  'no money left': {
    turns: [write(WORK, 'made\n', { usage: { inputTokens: 900_000 } }), DONE],
    job: { limits: { maxTurns: 9, budgetUsd: 0.5, capMs: 60_000 } },
    outcome: { kind: 'over-budget' },
    figures: { steps: 1 },
    check: ({ outcome: { figures } }) => expect(figures.costUsd).toBeGreaterThan(3),
  },
  '401 is about the credential': {
    turns: [made, fail(401)],
    apiRetries: 0,
    outcome: { kind: 'auth', handoff: { files: [WORK] } },
    figures: { steps: 1 },
    kept: [WORK],
  },
  '403 is about the credential': {
    turns: [fail(403)],
    outcome: { kind: 'auth', handoff: null },
    figures: { steps: 1 },
  },
  'no credit is about money': { turns: [made, creditTooLow()], outcome: { kind: 'billing' }, kept: [WORK] },
  '404 is about the model': { turns: [fail(404)], outcome: { kind: 'failed', cause: 'model' }, figures: { steps: 1 } },
  '429 for a moment is waited out, and the wait does not count': {
    turns: [rateLimit({ retryAfterSeconds: 1, times: 1 }), made, DONE],
    outcome: { kind: 'succeeded' },
    figures: { steps: 1 },
    kept: [WORK],
    check: ({ outcome: { figures }, activity }) => {
      expect(figures.waitedMs).toBeGreaterThanOrEqual(500);
      expect(activity.map(({ kind }) => kind)).toContain('wait');
    },
  },
  '429 for an hour is not waited for': {
    turns: [made, rateLimit({ retryAfterSeconds: 3600 })],
    outcome: { kind: 'throttled' },
    figures: { steps: 1, waitedMs: 0 },
    kept: [WORK],
  },
  "a subscription's usage limit names its end": {
    turns: [made, usageLimit({ resetAt: RESET })],
    credential: 'oauth',
    outcome: { kind: 'quota', until: RESET },
    figures: { steps: 1 },
    kept: [WORK],
  },
  "an API key's usage limit does, too, though the CLI does not say so": {
    turns: [made, usageLimit({ resetAt: RESET })],
    apiRetries: 0,
    outcome: { kind: 'quota', until: RESET },
    figures: { steps: 1 },
    kept: [WORK],
  },
  'a limit that only the agent’s side knows of holds up nobody': {
    turns: diligentAgent,
    wrapper: `"$CLAUDE" "$@" | grep -v '"type":"result"'; echo '${FORGED.join("'; echo '")}'`,
    outcome: { kind: 'failed', cause: 'model' },
    figures: { steps: 1 },
    kept: [WORK],
  },
  '500 for good is the provider being down': {
    turns: [made, fail(500)],
    apiRetries: 1,
    outcome: { kind: 'provider-down' },
    figures: { steps: 1 },
    kept: [WORK],
  },
  '529 is answered by the other model': {
    turns: ({ model, messages }) => (model === OPUS.id ? fail(529) : diligentAgent({ messages })),
    job: { model: OPUS },
    outcome: { kind: 'succeeded' },
    figures: { steps: 1, models: [OPUS.fallback], model: OPUS.fallback },
    kept: [WORK],
  },
  'an API out of reach is the provider being down': {
    turns: diligentAgent,
    isUnreachable: true,
    apiRetries: 1,
    outcome: { kind: 'provider-down', handoff: null },
    figures: { steps: 1, turns: 0, costUsd: 0 },
  },
  'an answer cut off is asked for again': {
    turns: [made, cut({ times: 1 }), DONE],
    outcome: { kind: 'succeeded' },
    figures: { steps: 1 },
    kept: [WORK],
  },
  'a prompt too long for the window gets one fresh start': {
    turns: ({ prompt, turn }) => {
      if (prompt.includes('earlier session')) return DONE;
      return turn === 0 ? made : promptTooLong();
    },
    outcome: { kind: 'succeeded' },
    figures: { steps: 2, resumes: 0 },
    kept: [WORK],
  },
  'a prompt too long for every window does not fit': {
    turns: [promptTooLong()],
    outcome: { kind: 'context-overflow' },
    figures: { steps: 2, resumes: 0 },
  },
  'a refusal is the model’s own': {
    turns: [made, refuse()],
    outcome: { kind: 'failed', cause: 'model' },
    figures: { steps: 1 },
    kept: [WORK],
  },
  'an endless answer is the model’s own': {
    turns: [made, say('And then', { stopReason: 'max_tokens', times: 99 })],
    outcome: { kind: 'failed', cause: 'model' },
    figures: { steps: 1 },
    kept: [WORK],
  },
});
