import { expect, test } from '@jest/globals';
import { parseCommand } from '../../../../src/domain/commands/parse-command.js';
import type { Thread } from '../../../../src/ports/scanner.js';
import { findUnansweredCommands } from '../../../../src/usecases/sweep/unanswered-commands.js';

const threadSaying = (body: string): Thread => ({
  id: 'I_1',
  ref: { owner: 'ada', repo: 'tideline', number: 7 },
  isPull: false,
  labels: [],
  comments: [
    {
      id: 'IC_1',
      author: { id: 2, login: 'wren', kind: 'human' },
      body,
      at: 1_000,
      edited: false,
      acknowledged: false,
      answered: false,
    },
  ],
  events: [],
});

// A webhook would have told of each of them, so a lost webhook must not lose them.
test.each(['/auto', '/auto stop', 'Please:\r\n/auto', '/auto\u200b', '/auto\u200b stop', '/auto\u2060\u00a0stop'])(
  'a lost command %j is found again',
  (body) => {
    expect(parseCommand(body).kind).toBe('command');
    expect(findUnansweredCommands(threadSaying(body))).toMatchObject([{ event: { kind: 'comment', body } }]);
  },
);

test.each(['Nice.', 'See docs/automation.', '/automatic'])('%j holds no command', (body) => {
  expect(findUnansweredCommands(threadSaying(body))).toEqual([]);
});
