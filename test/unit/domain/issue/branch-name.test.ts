import { expect, test } from '@jest/globals';
import { execa } from 'execa';
import { isBranchName } from '../../../../src/domain/issue/branch-name.js';

const NAMES = [
  'main',
  'release/2.x',
  'feature/ünïcode',
  'a',
  "it's",
  'a@b',
  '@',
  '-x',
  'x-',
  '.x',
  'x.',
  'a/.b',
  'a//b',
  '/a',
  'a/',
  'a..b',
  'a.lock',
  'a.lock/b',
  'a.lockb',
  'a b',
  'a~b',
  'a^b',
  'a:b',
  'a?b',
  'a*b',
  'a[b',
  'a]b',
  'a\\b',
  'a@{b',
  'a\u007fb',
  '',
];

test.each(NAMES)('%j is a branch name exactly if git takes it', async (name) => {
  const { exitCode } = await execa('git', ['check-ref-format', '--branch', name], { reject: false });
  // Git also takes `@` there, for the branch one is on.
  expect(isBranchName(name)).toBe(exitCode === 0 && name !== '@');
});

test('names have a length', () => {
  expect(isBranchName('x'.repeat(244))).toBe(true);
  expect(isBranchName('x'.repeat(245))).toBe(false);
});
