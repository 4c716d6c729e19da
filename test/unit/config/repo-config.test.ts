import { describe, expect, test } from '@jest/globals';
import { parseRepoConfig } from '../../../src/config/repo-config.js';

describe('.github/sluice.yml', () => {
  test('may say all, some or nothing', () => {
    const text = 'setup: npm ci\ntest: |\n  npm test\nchecks: [build, "test (20)"]\nbase: release/1.x # not main\n';
    expect(parseRepoConfig(text)).toEqual({
      kind: 'valid',
      config: { setup: 'npm ci', test: 'npm test', checks: ['build', 'test (20)'], base: 'release/1.x' },
    });
    for (const empty of ['', '# nothing yet\n', '{}\n', '---\n'])
      expect(parseRepoConfig(empty)).toEqual({ kind: 'valid', config: {} });
  });

  test('everything that is wrong is told at once', () => {
    const reading = parseRepoConfig('setup: 3\ntest: ""\nchecks: build\nbase: "a b"\ntests: npm test\n');
    expect(reading).toEqual({
      kind: 'invalid',
      problems: [
        'setup: Invalid input: expected string, received number',
        'test: Too small: expected string to have >=1 characters',
        'checks: Invalid input: expected array, received string',
        'base: not a branch name',
        'Unrecognized key: "tests"',
      ],
    });
  });

  test.each(['setup: [', 'setup: a\nsetup: b\n', '- a list', 'just text', 'a: &x [1]\nsetup: *x\n', 'setup: "\\x"'])(
    '%j is refused with a reason',
    (text) => {
      const reading = parseRepoConfig(text);
      expect(
        reading.kind === 'invalid' &&
          reading.problems.length > 0 &&
          reading.problems.every((problem) => !problem.includes('\n')),
      ).toBe(true);
    },
  );

  test('aliases are named as the reason', () => {
    expect(parseRepoConfig('checks: &x [a]\nsetup: *x\n')).toEqual({
      kind: 'invalid',
      problems: ['Aliases (*name) are not supported.'],
    });
  });

  test.each(['-x', '/x', 'x/', 'a..b', 'a b', 'x.lock', 'x.', '.x', 'a//b', 'a~1', 'x@{1}', 'a:b', ''])(
    '%j is no base branch',
    (base) => {
      expect(parseRepoConfig(`base: ${JSON.stringify(base)}`).kind).toBe('invalid');
    },
  );

  test.each(['main', 'release/1.x', 'feature_ä', 'a-b.c'])('%j is a base branch', (base) => {
    expect(parseRepoConfig(`base: ${JSON.stringify(base)}`).kind).toBe('valid');
  });
});

test.each(['deploy/**', '!.claude/**', '**/AGENTS.md', 'docs/My File.md'])('`protected` takes %j', (pattern) => {
  expect(parseRepoConfig(JSON.stringify({ protected: [pattern] }))).toMatchObject({ kind: 'valid' });
});

test.each(['/abs', '../x', 'a/../b', 'a\\b', 'a[b]', '!', '!!x', '', '*'.repeat(10), 'x'.repeat(300)])(
  '`protected` refuses %j, which names no path from the root',
  (pattern) => {
    expect(parseRepoConfig(JSON.stringify({ protected: [pattern] }))).toMatchObject({
      kind: 'invalid',
      problems: [expect.stringContaining('protected.0')],
    });
  },
);
