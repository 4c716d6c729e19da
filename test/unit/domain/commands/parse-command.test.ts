import { describe, expect, test } from '@jest/globals';
import type { Command } from '../../../../src/domain/commands/command.js';
import { formatCommand } from '../../../../src/domain/commands/format-command.js';
import { parseCommand } from '../../../../src/domain/commands/parse-command.js';

const HERE = { owner: 'ada', repo: 'quay' };
const NONE = {};

/** A comment in short: the command as one would write it, what is wrong with it, or nothing. */
function told(body: string): string {
  const parsed = parseCommand(body, HERE);
  switch (parsed.kind) {
    case 'none':
      return 'nothing';
    case 'command':
      return formatCommand(parsed.command);
    case 'error':
      return `${parsed.error.kind}, nearest ${parsed.error.nearest ?? 'nothing'}`;
  }
}

describe('a command means', () => {
  test.each<[string, Command]>([
    ['/auto', { kind: 'auto', numbers: [], options: NONE }],
    ['/auto 7 #9', { kind: 'auto', numbers: [7, 9], options: NONE }],
    ['/auto --patch', { kind: 'auto', numbers: [], options: { route: 'patch' } }],
    ['/auto --pr', { kind: 'auto', numbers: [], options: { route: 'pr' } }],
    ['/auto --review=full', { kind: 'auto', numbers: [], options: { review: 'full' } }],
    ['/auto --base release/2', { kind: 'auto', numbers: [], options: { base: 'release/2' } }],
    ['/auto --stop-at spec', { kind: 'auto', numbers: [], options: { stopAt: 'spec' } }],
    ['/auto --model heavy', { kind: 'auto', numbers: [], options: { model: 'heavy' } }],
    ['/auto --budget 7.50', { kind: 'auto', numbers: [], options: { budgetUsd: 7.5 } }],
    ['/auto --timeout 90', { kind: 'auto', numbers: [], options: { timeoutMin: 90 } }],
    ['/auto --max-iterations 30', { kind: 'auto', numbers: [], options: { maxIterations: 30 } }],
    ['/auto --dry-run', { kind: 'auto', numbers: [], options: { dryRun: true } }],
    [
      '/auto 12 --pr --review light --base=x 13 --budget=$5',
      { kind: 'auto', numbers: [12, 13], options: { route: 'pr', review: 'light', base: 'x', budgetUsd: 5 } },
    ],
    ['/auto --resume 12', { kind: 'resume', number: 12, options: NONE }],
    ['/auto --resume', { kind: 'resume', number: null, options: NONE }],
    ['/auto --resume --budget 20', { kind: 'resume', number: null, options: { budgetUsd: 20 } }],
    ['/auto --batch 5', { kind: 'batch', of: { kind: 'count', count: 5 }, options: NONE }],
    ['/auto --batch 5 6', { kind: 'batch', of: { kind: 'list', numbers: [5, 6] }, options: NONE }],
    ['/auto --batch #5', { kind: 'batch', of: { kind: 'list', numbers: [5] }, options: NONE }],
    ['/auto --batch --resume', { kind: 'batch', of: { kind: 'resume' }, options: NONE }],
    ['/auto --batch 3 --pr', { kind: 'batch', of: { kind: 'count', count: 3 }, options: { route: 'pr' } }],
    ['/auto stop', { kind: 'stop', number: null }],
    ['/auto stop 12', { kind: 'stop', number: 12 }],
    ['/auto pause #3', { kind: 'pause', number: 3 }],
    ['/auto continue', { kind: 'continue', number: null, text: '' }],
    ['/auto continue use  Postgres', { kind: 'continue', number: null, text: 'use  Postgres' }],
    ['/auto continue 12', { kind: 'continue', number: 12, text: '' }],
    ['/auto continue 12\nuse it', { kind: 'continue', number: 12, text: 'use it' }],
    ['/auto continue 12 months are enough', { kind: 'continue', number: null, text: '12 months are enough' }],
    ['/auto continue #12 is a duplicate', { kind: 'continue', number: null, text: '#12 is a duplicate' }],
    ['/auto continue --pr', { kind: 'continue', number: null, text: '--pr' }],
    ['/auto continue\n\nYes:\n- a\n- b\n', { kind: 'continue', number: null, text: 'Yes:\n- a\n- b' }],
    ['/auto continue yes\n\n> mallory wrote\n\nmore', { kind: 'continue', number: null, text: 'yes' }],
    ['/auto retry', { kind: 'retry', number: null, phase: null }],
    ['/auto retry review', { kind: 'retry', number: null, phase: 'review' }],
    ['/auto retry 12 code', { kind: 'retry', number: 12, phase: 'code' }],
    ['/auto status', { kind: 'status', number: null }],
    ['/auto explain 12', { kind: 'explain', number: 12 }],
    ['/auto approve', { kind: 'approve', number: null, hash: null }],
    ['/auto approve 4F1C9E2', { kind: 'approve', number: null, hash: '4f1c9e2' }],
    ['/auto approve 1234567', { kind: 'approve', number: null, hash: '1234567' }],
    ['/auto approve #1234567', { kind: 'approve', number: 1_234_567, hash: null }],
    ['/auto approve 12 4f1c9e2', { kind: 'approve', number: 12, hash: '4f1c9e2' }],
    ['/auto help', { kind: 'help' }],
    ['/auto help stop', { kind: 'help' }],
    ['/auto --help', { kind: 'help' }],
  ])('%j', (body, command) => {
    expect(parseCommand(body)).toMatchObject({ kind: 'command', command });
  });
});

describe('a command may be written in more than one way', () => {
  test.each([
    ['/auto   ', '/auto'],
    ['/auto\r\n', '/auto'],
    ['/auto\t12', '/auto 12'],
    ['/auto\u00a012\u200b \u2003 13', '/auto 12 13'],
    ['/auto 12, 13,14', '/auto 12 13 14'],
    ['/auto 12 12 #12', '/auto 12'],
    ['/auto STOP', '/auto stop'],
    ['/auto --PR --Review=FULL', '/auto --pr --review=full'],
    // What phones and word processors make of two dashes.
    ['/auto —pr', '/auto --pr'],
    ['/auto –review full', '/auto --review=full'],
    ['/auto ada/quay#12', '/auto 12'],
    ['/auto Ada/Quay#12', '/auto 12'],
    ['/auto https://github.com/ada/quay/issues/12', '/auto 12'],
    ['/auto --resume=12', '/auto --resume 12'],
    ['/auto --batch=12,13', '/auto --batch 12 13'],
    ['/auto 3 4 --batch', '/auto --batch 3 4'],
    ['Please:\n\n/auto 12\n\nthanks', '/auto 12'],
    ['please\n/auto 12\nthanks', '/auto 12'],
    ['- a list\n- of things\n\n/auto 12', '/auto 12'],
    ['# Heading\n/auto 12', '/auto 12'],
    ['```\n/auto 1\n```\n/auto 12', '/auto 12'],
    ['> /auto 1\n\n/auto 12', '/auto 12'],
    ['> a quote that ends with code\n> ```\n> x\n> ```\n/auto 12', '/auto 12'],
    ['> ```\n> cut off by the reply\n\n/auto 12', '/auto 12'],
    ['<!-- /auto 1 -->\n/auto 12', '/auto 12'],
    ['```html\n<!--\n```\n/auto 12', '/auto 12'],
    ['A `<!--` in code\n\n/auto 12', '/auto 12'],
    ['Wrap it in `<details>`, please\n\n/auto 12', '/auto 12'],
    ['An arrow <!-- that is never closed\n\n/auto 12', '/auto 12'],
    ['<details>\n\nlog\n\n</details>\n\n/auto 12', '/auto 12'],
    ['a ` lonely backtick\n\n/auto 12', '/auto 12'],
    ['\\`not code\n/auto 12\nnot code\\`', '/auto 12'],
    ['/auto 12\rmore', '/auto 12'],
    [`/auto ${Array.from({ length: 20 }, (_, index) => index + 1).join(' ')}`, `/auto ${range(20)}`],
    [`/auto ${range(21)} --yes`, `/auto ${range(21)} --yes`],
    ['/auto --batch 50 --yes', '/auto --batch 50 --yes'],
  ])('%j is %s', (body, canonical) => {
    expect(told(body)).toBe(canonical);
  });
});

describe('nothing is asked for by', () => {
  test.each([
    '',
    'go /auto',
    ' /auto',
    '\u200b/auto',
    '/\u200bauto',
    '\\/auto',
    '/AUTO',
    '/automatic',
    '/auto-merge is on',
    '/auto: it runs',
    '/auto\u200bmatic',
    '/auto\ufeffmatic',
    '@sluice /auto',
    '- /auto',
    '1. /auto',
    '> /auto',
    '>/auto',
    '> quoted\n/auto',
    '> quoted\nstill quoted\n/auto',
    '> - quoted\n/auto',
    '- > quoted\n/auto',
    '```\n/auto\n```',
    '~~~\n/auto 7\n~~~',
    '```\n/auto',
    '````\n```\n/auto\n````',
    '```sh\n~~~\n/auto\n```',
    '- ```\n/auto\n```',
    '- item\n\n  ```\n/auto\n  ```',
    '    /auto',
    '\t/auto',
    '`/auto`',
    '`code that goes on\n/auto\nhere`',
    '``a ` b\n/auto\n``',
    '<!-- \n/auto\n-->',
    '<!-- never closed\n/auto',
    'text <!--\n/auto\n-->',
    'text <!--\n\n/auto\n\n-->',
    '<details>\n/auto\n</details>',
    '<details>\n\n/auto\n\n</details>',
    '<details><summary>x</summary>\n\n<details>\n\n</details>\n\n/auto\n',
    '<details\nopen>\n\n/auto\n',
    '<pre>\n/auto\n</pre>',
    '<pre>\n\n/auto\n</pre>',
    'see <code>\n/auto\n</code>',
    '<code>\n\n/auto\n\n</code>',
    '<blockquote>\n\n/auto\n\n</blockquote>',
    '<del>\n\n/auto\n\n</del>',
    '<div>\n/auto\n</div>',
    '<a href="\n/auto\n">x</a>',
    '[//]: # (\n/auto\n)',
    '[^1]: a note\n/auto',
  ])('%j', (body) => {
    expect(parseCommand(body)).toEqual({ kind: 'none' });
  });
});

describe('what is wrong is named, with the nearest valid command', () => {
  test.each([
    ['/auto stpo', 'unknown-word, nearest /auto stop'],
    ['/auto stpo 12', 'unknown-word, nearest /auto stop 12'],
    ['/auto stop!', 'unknown-word, nearest /auto stop'],
    ['/auto cancel', 'unknown-word, nearest /auto stop'],
    ['/auto resume 12', 'unknown-word, nearest /auto --resume 12'],
    ['/auto batch 5', 'unknown-word, nearest /auto --batch 5'],
    ['/auto run 12', 'unknown-word, nearest /auto 12'],
    ['/auto patch', 'unknown-word, nearest /auto --patch'],
    ['/auto review full', 'unknown-word, nearest /auto --review=full'],
    ['/auto 12 stop', 'unknown-word, nearest /auto stop 12'],
    ['/auto 12 please', 'unknown-word, nearest /auto 12'],
    ['/auto 12 or 13', 'unknown-word, nearest /auto 12 13'],
    ['/auto seven', 'unknown-word, nearest nothing'],
    ['/auto 0', 'unknown-word, nearest nothing'],
    ['/auto -1', 'unknown-option, nearest nothing'],
    ['/auto 99999999999', 'unknown-word, nearest nothing'],
    ['/auto 4294967296', 'unknown-word, nearest nothing'],
    ['/auto 7 --fast', 'unknown-option, nearest /auto 7'],
    ['/auto --reveiw=full', 'unknown-option, nearest /auto --review=full'],
    ['/auto -pr', 'unknown-option, nearest /auto --pr'],
    ['/auto --max-iteration 5', 'unknown-option, nearest /auto --max-iterations=5'],
    ['/auto stop --pr', 'option-not-here, nearest /auto stop'],
    ['/auto stop --base x', 'option-not-here, nearest /auto stop'],
    ['/auto status --wat', 'unknown-option, nearest /auto status'],
    ['/auto --review', 'missing-value, nearest /auto --review=light'],
    ['/auto --base --pr', 'missing-value, nearest /auto --pr --base=main'],
    ['/auto --base=', 'missing-value, nearest /auto --base=main'],
    ['/auto --batch', 'missing-value, nearest /auto --batch 12 13'],
    ['/auto --patch --review=full', 'conflict, nearest nothing'],
    ['/auto --review=ful', 'bad-value, nearest /auto --review=full'],
    ['/auto --review 12', 'bad-value, nearest nothing'],
    ['/auto --stop-at sepc 12', 'bad-value, nearest /auto 12 --stop-at=spec'],
    ['/auto --model opus', 'bad-value, nearest nothing'],
    ['/auto --budget lots', 'bad-value, nearest nothing'],
    ['/auto --budget 0', 'bad-value, nearest nothing'],
    ['/auto --budget -5', 'missing-value, nearest nothing'],
    ['/auto --budget 1e9', 'bad-value, nearest nothing'],
    ['/auto --timeout 2h', 'bad-value, nearest nothing'],
    ['/auto --timeout 99999', 'bad-value, nearest nothing'],
    ['/auto --max-iterations 1000', 'bad-value, nearest nothing'],
    ['/auto --base a..b', 'bad-value, nearest nothing'],
    ['/auto --pr=yes', 'extra-value, nearest /auto --pr'],
    ['/auto --yes=1', 'extra-value, nearest /auto'],
    ['/auto --base a --base b', 'given-twice, nearest /auto --base=a'],
    ['/auto --batch --batch 3', 'given-twice, nearest /auto --batch 3'],
    ['/auto --patch --pr', 'conflict, nearest nothing'],
    ['/auto --patch --stop-at review', 'conflict, nearest nothing'],
    ['/auto --batch --resume 12', 'conflict, nearest nothing'],
    ['/auto --resume 1 2', 'one-issue-only, nearest nothing'],
    ['/auto stop 1 2', 'one-issue-only, nearest /auto stop 1'],
    ['/auto stop 1,2', 'one-issue-only, nearest nothing'],
    ['/auto retry done', 'bad-value, nearest /auto retry'],
    ['/auto approve it', 'unknown-word, nearest /auto approve'],
    [`/auto ${range(21)}`, `too-many-issues, nearest /auto ${range(21)} --yes`],
    ['/auto --batch 21', 'too-many-issues, nearest /auto --batch 21 --yes'],
    ['/auto --batch 201 --yes', 'too-many-issues, nearest nothing'],
    ['/auto eve/quay#12', 'other-repository, nearest nothing'],
    ['/auto https://github.com/eve/quay/pull/12', 'other-repository, nearest nothing'],
    ['/auto 1\n/auto 2', 'several-commands, nearest nothing'],
    ['/auto continue yes\n\n/auto stop', 'several-commands, nearest nothing'],
    ['/auto \u202e21', 'reordered-text, nearest nothing'],
  ])('%j: %s', (body, expected) => {
    expect(told(body)).toBe(expected);
  });

  test('an issue with a repository is refused where ours is not known', () => {
    expect(parseCommand('/auto ada/quay#12')).toMatchObject({ kind: 'error', error: { kind: 'other-repository' } });
  });

  test('the line is kept for the answer', () => {
    expect(parseCommand('Well.\n\n/auto stpo  \nthanks')).toMatchObject({ kind: 'error', line: '/auto stpo' });
  });
});

function range(count: number): string {
  return Array.from({ length: count }, (_, index) => index + 1).join(' ');
}
