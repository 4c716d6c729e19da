import { expect, test } from '@jest/globals';
import { parseCommand } from '../../../src/domain/commands/parse-command.js';
import { cpuTimeOf } from '../../support/cpu-time.js';

/* Comments that take a full Markdown parser seconds: decision 14. Anybody may write one, and it is read before their permission is. */

/** The longest comment GitHub accepts. */
const MAX_LENGTH = 65_536;

const filled = (unit: string): string => unit.repeat(MAX_LENGTH / unit.length);

test.each([
  ['lists inside each other before blank lines', `${'- '.repeat(MAX_LENGTH / 4)}x${'\n'.repeat(MAX_LENGTH / 2)}`],
  ['lists of a depth that is allowed before blank lines', `${'- '.repeat(49)}x${'\n'.repeat(MAX_LENGTH - 100)}`],
  ['one line of quote marks', '>'.repeat(MAX_LENGTH)],
  ['one line of quotes and lists', filled('> - ')],
  ['one line of numbered lists', filled('1. ')],
  ['many nested quotes', filled(`${'>'.repeat(49)}\n\n`)],
  ['many nested lists', filled(`${'- '.repeat(49)}x\n`)],
  ['a long list', filled('- a\n')],
  ['link definitions', filled('[a]:\n')],
])('a comment of %s is read within the bound', (_, filling) => {
  expect(cpuTimeOf(() => parseCommand(`/auto 1\n${filling}\n/auto 2`))).toBeLessThan(500);
});
