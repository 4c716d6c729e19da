import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { cut, drip, errorEvent, hang, malformed, reset, stall } from '../src/script/break.js';
import { creditTooLow, fail, promptTooLong, rateLimit, usageLimit } from '../src/script/fail.js';
import * as answers from '../src/script/say.js';
import { parseScriptFile } from '../src/script/script-file.js';
import type { Turn } from '../src/script/turn.js';

const { bash, call, edit, empty, maxTokens, read, refuse, say, structured, think, together, write } = answers;

function turnsOf(yaml: string): unknown {
  const parsed = parseScriptFile(`scripts: [{ name: x, turns: [${yaml}] }]`);
  return 'problems' in parsed ? parsed.problems : parsed.scripts[0]?.turns;
}

const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };

test.each<[string, Turn]>([
  ['{ say: Hello }', say('Hello')],
  ['{ say: Hello, stopReason: pause_turn, times: 3 }', say('Hello', { stopReason: 'pause_turn', times: 3 })],
  [`{ say: Hello, usage: ${JSON.stringify(usage)} }`, say('Hello', { usage })],
  ['{ think: Hm }', think('Hm')],
  ['{ bash: npm test }', bash('npm test')],
  ['{ write: { path: a.txt, content: b } }', write('a.txt', 'b')],
  ['{ edit: { path: a.txt, old: b, new: c } }', edit('a.txt', 'b', 'c')],
  ['{ read: a.txt }', read('a.txt')],
  ['{ call: { tool: Grep, input: { pattern: x } } }', call('Grep', { pattern: 'x' })],
  ['{ structured: { ok: true, list: [1] } }', structured({ ok: true, list: [1] })],
  ['{ together: [{ say: Hello }, { bash: ls }] }', together(say('Hello'), bash('ls'))],
  ['{ refuse: No. }', refuse('No.')],
  ['{ maxTokens: Half }', maxTokens('Half')],
  ['{ empty: true }', empty()],
  ['{ fail: 529, times: 2, message: Busy }', fail(529, { times: 2, message: 'Busy' })],
  ['{ fail: 429, headers: { retry-after: "3" } }', fail(429, { headers: { 'retry-after': '3' } })],
  ['{ promptTooLong: true }', promptTooLong()],
  ['{ creditTooLow: true }', creditTooLow()],
  ['{ rateLimit: { retryAfterSeconds: 20 } }', rateLimit({ retryAfterSeconds: 20 })],
  ['{ usageLimit: { resetInSeconds: 60, claim: seven_day } }', usageLimit({ resetInSeconds: 60, claim: 'seven_day' })],
  ['{ usageLimit: { resetAt: "2026-01-05T12:00:00Z" } }', usageLimit({ resetAt: Date.UTC(2026, 0, 5, 12) })],
  ['{ say: Hello, cut: { afterBytes: 9 } }', cut({ afterBytes: 9 }, say('Hello'))],
  ['{ cut: {}, times: 2 }', cut({ times: 2 })],
  ['{ stall: { afterEvents: 2, forMs: 50 } }', stall({ afterEvents: 2, forMs: 50 })],
  ['{ hang: {} }', hang()],
  ['{ reset: true }', reset()],
  ['{ say: Hello, drip: { everyMs: 5 } }', drip({ everyMs: 5 }, say('Hello'))],
  ['{ malformed: {} }', malformed()],
  ['{ errorEvent: { type: api_error, message: Oh } }', errorEvent({ type: 'api_error', message: 'Oh' })],
])('%s is what its constructor makes', (yaml, turn) => {
  expect(turnsOf(yaml)).toEqual([turn]);
});

test('a whole file gives scripts with their matchers and captures', () => {
  const parsed = parseScriptFile(`
scripts:
  - name: code
    when: { skill: "sluice:code", issue: acme/web#42, turn: 0, promptIncludes: [a, b], latestIncludes: c, model: m, tool: Bash, stream: true }
    times: 2
    capture: { nonce: 'Nonce: (\\S+)' }
    turns:
      - structured: { nonce: "{{nonce}}" }
`);
  expect(parsed).toEqual({
    scripts: [
      {
        name: 'code',
        when: {
          skill: 'sluice:code',
          issue: 'acme/web#42',
          turn: 0,
          promptIncludes: ['a', 'b'],
          latestIncludes: 'c',
          model: 'm',
          tool: 'Bash',
          stream: true,
        },
        times: 2,
        capture: { nonce: 'Nonce: (\\S+)' },
        turns: [structured({ nonce: '{{nonce}}' })],
      },
    ],
  });
});

test('JSON is read as well', () => {
  const json = JSON.stringify({ scripts: [{ name: 'x', turns: [{ say: 'Hello' }] }] });
  expect(parseScriptFile(json)).toEqual({ scripts: [{ name: 'x', when: {}, turns: [say('Hello')] }] });
});

describe('problems', () => {
  test('are all reported at once, each with its place', () => {
    const parsed = parseScriptFile(`
scripts:
  - name: one
    when: { skil: "sluice:code", issue: first }
    turns:
      - sya: Hello
      - say: Hello
        bash: ls
      - fail: 418
      - fail: 529
        say: Hello
      - fail: 500
        stopReason: end_turn
      - say: Hello
        headers: { a: b }
      - cut: {}
        stall: {}
      - times: 2
      - together: [{ say: a, bash: b }]
      - usageLimit: { claim: daily }
  - turns: []
    capture: { nonce: "(" }
`);
    expect('problems' in parsed && parsed.problems).toEqual([
      expect.stringMatching(/^scripts\[0\]\.when\.issue: give a number/),
      expect.stringMatching(/^scripts\[0\]\.when: .*skil/),
      expect.stringMatching(/^scripts\[0\]\.turns\[0\]: .*sya/),
      expect.stringMatching(/^scripts\[0\]\.turns\[0\]: a turn needs one of say, /),
      'scripts[0].turns[1]: a turn has one answer; put several blocks under `together`',
      expect.stringMatching(/^scripts\[0\]\.turns\[2\]\.fail: .*529/),
      'scripts[0].turns[3]: a failure stands alone in its turn',
      'scripts[0].turns[4]: stopReason does not belong to this kind of turn',
      'scripts[0].turns[5]: headers does not belong to this kind of turn',
      'scripts[0].turns[6]: a turn has at most one disturbance',
      expect.stringMatching(/^scripts\[0\]\.turns\[7\]: a turn needs one of say, /),
      expect.stringMatching(/^scripts\[0\]\.turns\[8\]\.together\[0\]: a block is exactly one of say, /),
      expect.stringMatching(/^scripts\[0\]\.turns\[9\]\.usageLimit: give resetAt/),
      expect.stringMatching(/^scripts\[1\]\.name: /),
      'scripts[1].capture.nonce: is not a regular expression',
      expect.stringMatching(/^scripts\[1\]\.turns: /),
    ]);
  });

  test('of YAML itself say where', () => {
    expect(parseScriptFile('scripts: [\n  - name: "x')).toEqual({
      problems: expect.arrayContaining([expect.stringMatching(/line 2/)]),
    });
  });

  test('of an empty file say what is missing', () => {
    expect(parseScriptFile('')).toEqual({ problems: [expect.stringMatching(/^file: /)] });
  });
});

describe('the documentation', () => {
  const page = readFileSync('docs/scripted-model.md', 'utf8');

  test('shows a valid file', () => {
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    expect(parseScriptFile(example)).toMatchObject({ scripts: [{}, {}, {}] });
  });

  test('lists failures and disturbances as they are written', () => {
    const tables = page.slice(page.indexOf('### HTTP errors'), page.indexOf('## What is recorded'));
    const forms = [...tables.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1] ?? '');
    expect(forms).toHaveLength(22);
    for (const form of forms)
      expect(turnsOf(`{ ${form} }`)).toEqual([expect.objectContaining({ kind: expect.any(String) })]);
  });
});
