import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  publish,
  publishPlain,
  quoteText,
  quoteCell,
  quoteLine,
  quotePlain,
} from '../../../../src/domain/sanitise/publish.js';
import { rawHtml } from '../../../support/domain/visible-text.js';

/** The same texts every time; `RUNS=20000` looks for new ones. */
const RUNS = process.env['RUNS'] === undefined ? { numRuns: 1_000, seed: 7 } : { numRuns: Number(process.env['RUNS']) };

describe('what goes to GitHub', () => {
  test.each<[string, string, string]>([
    ['a mention calls nobody', 'ask @wren', 'ask `@wren`'],
    ['nor a team', 'ask @org/team-a.', 'ask `@org/team-a`.'],
    ['nor one written with a backslash or an entity', '\\@wren &#64;wren', '`@wren` &amp;#64;wren'],
    ['nor one right after code', '`a`@wren`b`', '`a` `@wren` `b`'],
    ['addresses of mail and packages stay legible', 'a.b@c.org, `@types/node`', 'a.b@c.org, `@types/node`'],
    [
      'and addresses of pages lead where they led',
      'https://npmjs.com/package/@types/node',
      'https://npmjs.com/package/%40types/node',
    ],
    ['code is left alone', '```ts\n@Input() x; // fixes #5\n```', '```ts\n@Input() x; // fixes #5\n```'],
    ['a closing word closes nothing', 'Fixes #5, closes: ada/garden#6.', 'Fixes `#5`, closes: `ada/garden#6`.'],
    ['nor with an address', 'resolves https://github.com/a/b/issues/5', 'resolves `https://github.com/a/b/issues/5`'],
    ['a number that is only named stays a link', 'Pull request #12', 'Pull request #12'],
    ['a command starts nothing', '/auto stop\n  /auto\nsee /auto', '\\/auto stop\n  \\/auto\nsee /auto'],
    ['an image is not loaded', '![a "b"](https://x.y/z.png)', '‹image: a b›'],
    ['nor one by reference', '![a][b] ![c]', '!\\[a][b] !\\[c]'],
    ['markup is shown, not obeyed', '<img src=x> <b>', '&lt;img src=x> &lt;b>'],
    [
      'our own folds stay',
      '<details>\n<summary>a</summary>\n\nb\n</details>',
      '<details>\n<summary>a</summary>\n\nb\n</details>',
    ],
    [
      'our mark stays, in the first line only',
      '<!-- sluice:status -->\n<!-- sluice:spec -->',
      '<!-- sluice:status -->\n&lt;!-- sluice:spec -->',
    ],
    ['a definition nobody would see is shown', '[//]: # (x)', '\\[//]: # (x)'],
    ['code that never ends is ended', '```js\nx', '```js\nx\n```'],
    ['half a code span is no code', 'a ` b\nc ` @wren ` d', 'a \\` b\nc ` @wren ` d'],
    ['invisible characters go, emoji stay', 'a\u200bb ⏸️ 👩‍🔧', 'ab ⏸️ 👩‍🔧'],
    ['tables stay', '| a | b |\n|---|---|\n| 1 | `x \\| y` |', '| a | b |\n|---|---|\n| 1 | `x \\| y` |'],
  ])('%s', (_, text, expected) => {
    expect(publish(text)).toBe(expected);
    expect(publish(expected)).toBe(expected);
  });

  test.each<[string, string, string]>([
    [
      'other issues are named, not linked',
      'see #5 and a/b#6 and https://github.com/a/b/pull/7',
      'see `#5` and `a/b#6` and `https://github.com/a/b/pull/7`',
    ],
    ['folds are shown', '<details>', '&lt;details>'],
    ['diagrams are shown as text', '```mermaid\na --> b\n```', '```text\na --> b\n```'],
  ])('of words that are not ours, %s', (_, text, expected) => {
    expect(quoteText(text)).toBe(expected);
    expect(publish(expected)).toBe(expected);
  });

  test('one line for a table is one line, short and without bars', () => {
    expect(quoteCell('a\n\n- b | `c | d`', 100)).toBe('a - b \\| `c \\| d`');
    expect(quoteLine('a\n\n- b | `c | d`', 100)).toBe('a - b | `c | d`');
    expect(quoteLine('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
  });

  test.each<[string, string, string]>([
    ['mentions', 'Bump @types/node for @wren', 'Bump `@types/node` for `@wren`'],
    ['mail', 'by a@b.org', 'by a@b.org'],
    ['closing words', 'Fixes #5 and closes ada/garden#6', 'Fixes issue 5 and closes ada/garden issue 6'],
    ['the trailer', 'Sluice-Issue: ada/garden#7', 'Sluice-Issue: ada/garden#7'],
  ])('titles and commit messages: %s', (_, text, expected) => {
    expect(publishPlain(text)).toBe(expected);
    expect(publishPlain(expected)).toBe(expected);
  });

  test('a commit message names other issues without linking to them', () => {
    expect(quotePlain('see #5, a/b#6 and gh-7, not C#8')).toBe('see issue 5, a/b issue 6 and issue 7, not C#8');
  });

  test('is short enough, cut at the end of a line with everything closed, and says so', () => {
    const body = `<!-- sluice:status -->\n<details>\n<summary>x</summary>\n\n\`\`\`\n${'🌱 line\n'.repeat(20_000)}`;
    const shown = publish(body);
    expect(shown.length).toBeLessThanOrEqual(60_000);
    expect(shown).toMatch(/line\n```\n\n<\/details>\n\n… cut here: \d+ more characters do not fit into a comment\.$/);
    expect(publish(shown)).toBe(shown);
    expect(publish('🌱'.repeat(40_000))).not.toMatch(/\p{Cs}/u);
  });

  const pieces = fc
    .array(
      fc.oneof(
        ...[
          '@wren',
          '\\@wren',
          '&#64;wren',
          '&commat;wren',
          '@org/team',
          'a@b.org',
          'https://x.y/@wren',
          '<https://x.y/@wren>',
          'https://@wren',
          'closes #5',
          'fixes: a/b#6',
          'Resolves **#7',
          '/auto',
          '![a](x)',
          '![a][b]',
          '![',
          '[a](x "t")',
          '[a](`)',
          '[a]',
          '[b]: x',
          '<img src=x>',
          '<!-- x -->',
          '<!--',
          '-->',
          '<b>',
          '<details>',
          '</details>',
          '<summary>',
          '<pre>',
          '<div>',
          '<a title="`">',
          '`',
          '``',
          '```',
          '~~~',
          '\n',
          '\n',
          '\n\n',
          ' ',
          '  ',
          '    ',
          '\t',
          '- ',
          '> ',
          '1. ',
          '\\',
          '|',
          '\n|-|-|\n',
          '\n:-\n',
          '_a_',
          '*',
          '**',
          '~~',
          '(',
          ')',
          ']',
          '"',
          "'",
          '&lt;',
          '&',
          '#8',
          'word',
          '\n---\n',
          '[^1]: ',
          '<br>',
          '$',
        ].map((piece) => fc.constant(piece)),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

  /** Texts GitHub would look for names and numbers in: all but code and what is a link already. */
  function spokenTexts(markdown: string): readonly string[] {
    const html = rawHtml(markdown)
      .replaceAll(/<(pre|code|a)\b[^>]*>[^]*?<\/\1>/g, '<x>')
      .replaceAll('&lt;', '‹');
    return html
      .split(/<[^>]*>/)
      .map((text) => text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
  }

  test.each([
    ['published', publish],
    ['quoted', quoteText],
  ])('%s, nothing calls, closes, starts, loads or hides anything, whatever it is made of', (_, sanitise) => {
    fc.assert(
      fc.property(pieces, (text) => {
        const shown = sanitise(text);
        const html = rawHtml(shown);
        const spoken = spokenTexts(shown);
        expect({ shown, calls: spoken.filter((one) => /(?:^|[^a-z0-9_])@[a-z0-9]/i.test(one)) }).toMatchObject({
          calls: [],
        });
        expect({
          shown,
          closes: spoken.filter((one) =>
            /(?<![a-z0-9])(?:close[sd]?|fix(?:es|ed)?|resolve[sd]?)[\s:]+(?:#\d+|[\w.-]+\/[\w.-]+#\d+)(?![a-z0-9])/i.test(
              one,
            ),
          ),
        }).toMatchObject({ closes: [] });
        expect({ shown, html: /<(?:img|!--|pre>(?!<code)|div|b>|script|\?)/.exec(html)?.[0] }).toEqual({
          shown,
          html: undefined,
        });
        expect({ shown, starts: /^\s*\/auto/m.test(outsideFences(shown)) }).toEqual({ shown, starts: false });
      }),
      RUNS,
    );
  });

  test('what has been through it passes unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
        for (const sanitise of [publish, publishPlain]) expect(sanitise(sanitise(text))).toBe(sanitise(text));
        const inside = quoteText(text);
        expect(quoteText(inside)).toBe(inside);
        expect(publish(publish(`a\n\n${inside}`))).toBe(publish(`a\n\n${inside}`));
      }),
      RUNS,
    );
  });

  test.each([
    '`',
    '![',
    '](',
    '<a ',
    '@a',
    '&a',
    'closes ',
    'a/',
    '[a]: ',
    '\\',
    '`a``',
    '- ```\n',
    '[a](b "',
    '|`',
    '#1',
    'https://a.',
  ])('a text that is nothing but %j does not take for ever to read', (piece) => {
    // Whatever looks back over the whole text for every piece would not end before the test does.
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    expect(publish(text).length).toBeLessThanOrEqual(60_000);
    expect(quoteText(text).length).toBeGreaterThan(0);
  });
});

/** As the reader of commands sees it: fences at most three spaces in, of either kind. */
function outsideFences(text: string): string {
  let fence: string | null = null;
  return text
    .split('\n')
    .filter((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (mark !== undefined && (fence === null || mark.startsWith(fence))) {
        fence = fence === null ? mark : null;
        return false;
      }
      return fence === null;
    })
    .join('\n');
}
