import { describe, expect, test } from '@jest/globals';
import { joinHandoffs, type SessionTrace, makeHandoff } from '../../../../src/domain/agent/handoff.js';

const TRACE: SessionTrace = { messages: [], commands: [], files: [], changes: '' };
const ran = (command: string, failed = false) => ({ command, failed });

describe('a handoff the service makes', () => {
  test('says that it is one, what was seen last, and what git shows', () => {
    const made = makeHandoff({
      messages: ['I begin.', 'Now the tests.'],
      commands: [ran('ls'), ran('npm test', true)],
      files: ['a.ts'],
      changes: '?? a.ts\n',
    });
    expect(made).toEqual({
      progress:
        '(service-made: the agent gave no handoff)\nThe agent said last: I begin. … Now the tests.\n' +
        'The checkout has changed:\n?? a.ts\nIts last commands: ls (went well); npm test (failed).',
      files: ['a.ts'],
      testStatus: 'failed',
      decisions: [],
      openErrors: ['The last command failed: npm test'],
    });
  });

  test('knows how the tests stand from commands alone', () => {
    const status = (...commands: SessionTrace['commands']) =>
      makeHandoff({ ...TRACE, messages: ['All tests pass!'], commands })?.testStatus;
    expect(status()).toBe('not-run');
    expect(status(ran('cat latest.txt'))).toBe('not-run');
    expect(status(ran('npm test', true), ran('npm test'), ran('git diff', true))).toBe('passed');
    expect(status(ran('pytest -x', true))).toBe('failed');
  });

  test('of nothing is none', () => {
    expect(makeHandoff(TRACE)).toBeNull();
  });
});

describe('handoffs one after the other', () => {
  const earlier = { progress: 'A.', files: ['a'], testStatus: 'passed', decisions: ['x'], openErrors: [] } as const;
  const since = { progress: 'B.', files: ['a', 'b'], testStatus: 'not-run', decisions: [], openErrors: ['e'] } as const;

  test('become one', () => {
    expect(joinHandoffs(earlier, since)).toEqual({
      progress: 'A.\n\nSince then: B.',
      files: ['a', 'b'],
      testStatus: 'passed',
      decisions: ['x'],
      openErrors: ['e'],
    });
    expect(joinHandoffs(null, since)).toBe(since);
    expect(joinHandoffs(earlier, null)).toBe(earlier);
  });
});
