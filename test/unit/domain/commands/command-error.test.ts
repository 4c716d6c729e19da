import { expect, test } from '@jest/globals';
import { formatCommandError } from '../../../../src/domain/commands/command-error.js';
import { parseCommand } from '../../../../src/domain/commands/parse-command.js';

function answer(body: string): string {
  const parsed = parseCommand(body, { owner: 'ada', repo: 'quay' });
  return parsed.kind === 'error' ? formatCommandError(parsed.error) : parsed.kind;
}

const HELP = '`/auto help` lists all commands.';

test.each([
  [
    '/auto stpo 12',
    '`stpo` was not understood: it is neither a command nor an issue number. Did you mean `/auto stop 12`?',
  ],
  ['/auto --reveiw=full', 'There is no option `--reveiw`. Did you mean `/auto --review=full`?'],
  ['/auto --wat', 'There is no option `--wat`.'],
  ['/auto stop --pr', '`--pr` was not understood: `/auto stop` does not take it. Did you mean `/auto stop`?'],
  ['/auto --review', '`--review` needs one of light, full. For example: `/auto --review=light`.'],
  [
    '/auto --budget lots',
    '`lots` was not understood: `--budget` needs an amount of US dollars up to 10000, such as 5 or 7.50.',
  ],
  ['/auto --base a..b', '`a..b` was not understood: `--base` needs the name of a branch.'],
  [
    '/auto retry lunch',
    '`lunch` was not understood: `/auto retry` needs one of issue, spec, code, review, merge, verify. Did you mean `/auto retry`?',
  ],
  ['/auto --pr=yes', '`--pr` takes no value. Did you mean `/auto --pr`?'],
  [
    '/auto --base a --base b',
    '`--base` was given twice, and only one of them can be meant. Did you mean `/auto --base=a`?',
  ],
  ['/auto --patch --pr', '`--patch` and `--pr` do not go together: the work lands in one way or the other.'],
  ['/auto stop 1 2', '`/auto stop` takes one issue at a time. Did you mean `/auto stop 1`?'],
  [
    '/auto --batch 21',
    'That is 21 issues. More than 20 have to be confirmed with `--yes`. For example: `/auto --batch 21 --yes`.',
  ],
  ['/auto --batch 500', 'That is 500 issues, and one command may ask for 200 at most.'],
  ['/auto eve/quay#1', '`eve/quay#1` is in another repository. Write the command on an issue there.'],
  ['/auto 1\n/auto 2', 'The comment has 2 commands, and none was carried out: write each in a comment of its own.'],
  ['/auto \u202e21', 'The line has invisible characters that make it look different from what it says. Type it anew.'],
])('%j', (body, sentence) => {
  expect(answer(body)).toBe(`${sentence} ${HELP}`);
});

test('what somebody wrote is repeated so that it does nothing', () => {
  expect(answer('/auto @wren`<b>')).toContain('`@wren<b>` was not understood');
  expect(answer('/auto ```')).toContain('`?` was not understood');
  expect(answer(`/auto ${'x'.repeat(500)}`)).toContain(`\`${'x'.repeat(80)}…\` was`);
});
