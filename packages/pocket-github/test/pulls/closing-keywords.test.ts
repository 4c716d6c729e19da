import { describe, expect, test } from '@jest/globals';
import { parseReferences } from '../../src/resources/closing-keywords/references.js';
import { spokenText } from '../../src/resources/closing-keywords/spoken-text.js';

/** What a text closes and what it only mentions, as short strings. */
function read(text: string) {
  const references = parseReferences(spokenText(text));
  const show = (closes: boolean) =>
    references.filter((found) => found.closes === closes).map((found) => `${found.repository ?? ''}#${found.number}`);
  return { closes: show(true), mentions: show(false) };
}

describe('closing keywords', () => {
  test.each(['close', 'closes', 'closed', 'fix', 'fixes', 'fixed', 'resolve', 'resolves', 'resolved'])(
    '%s closes',
    (keyword) => {
      expect(read(`${keyword} #12`)).toEqual({ closes: ['#12'], mentions: [] });
      expect(read(`${keyword.toUpperCase()}: #12`)).toEqual({ closes: ['#12'], mentions: [] });
    },
  );

  test.each<[string, readonly string[], readonly string[]]>([
    ['Closes #12', ['#12'], []],
    ['It closes #12.', ['#12'], []],
    ['(fixes #3)', ['#3'], []],
    ['- Fixes #3\n- Fixes #4', ['#3', '#4'], []],
    ['Resolves #10, resolves #123, resolves octo-org/octo-repo#100', ['#10', '#123', 'octo-org/octo-repo#100'], []],
    ['closes #1, #2', ['#1'], ['#2']],
    ['closes #1 and #2', ['#1'], ['#2']],
    ['fixes ada/sandbox#7', ['ada/sandbox#7'], []],
    ['fixes GH-7', ['#7'], []],
    ['fixes http://127.0.0.1:8080/ada/sandbox/issues/7', ['ada/sandbox#7'], []],
    ['fixes https://github.example/ada/sandbox/pull/7', ['ada/sandbox#7'], []],
    ['see https://github.example/ada/sandbox/issues/7#issuecomment-9', [], ['ada/sandbox#7']],
    ['relates to #12', [], ['#12']],
    ['#12 is fixed', [], ['#12']],
    ['fixing #12', [], ['#12']],
    ['encloses #12', [], ['#12']],
    ['prefix #12', [], ['#12']],
    ['closes#12', [], []],
    ['closes\n#12', [], ['#12']],
    ['closes #12abc', [], []],
    ['closes #0', [], []],
    ['closes issue #12', [], ['#12']],
    ['color #123456f and &#39;', [], []],
    ['https://example.com/a/b#12', [], []],
  ])('%j', (text, closes, mentions) => {
    expect(read(text)).toEqual({ closes, mentions });
  });

  test('`closes #12` is not about #1', () => {
    expect(read('closes #12').closes).not.toContain('#1');
  });

  test.each([
    'use `closes #12` here',
    'use ``closes `#12` here`` please',
    '```\ncloses #12\n```',
    '~~~ text\ncloses #12\n~~~\n',
    '```\ncloses #12',
    '<!-- closes #12 -->',
    '<!--\ncloses #12',
  ])('code and comments are not read: %j', (text) => {
    expect(read(text)).toEqual({ closes: [], mentions: [] });
  });

  test('what stands around code and comments is read', () => {
    expect(read('```sh\nnpm test\n```\nCloses #4 <!-- not #5 --> and `#6`').closes).toEqual(['#4']);
    expect(read('a lone ` tick, closes #4').closes).toEqual(['#4']);
  });
});
