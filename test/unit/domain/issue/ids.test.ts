import { expect, test } from '@jest/globals';
import { parseIssue } from '../../../../src/domain/issue/ids.js';

test.each([
  ['ada/quay#1', { owner: 'ada', repo: 'quay', number: 1 }],
  [' ada/quay#12 ', { owner: 'ada', repo: 'quay', number: 12 }],
  ['ada_acme/quay#3', { owner: 'ada_acme', repo: 'quay', number: 3 }],
  ['a-b-c/.github#4', { owner: 'a-b-c', repo: '.github', number: 4 }],
  [`${'a'.repeat(39)}/q#5`, { owner: 'a'.repeat(39), repo: 'q', number: 5 }],
])('%s names an issue', (text, ref) => {
  expect(parseIssue(text)).toEqual(ref);
});

test.each([
  '',
  '#1',
  'quay#1',
  'ada/quay',
  'ada/quay#0',
  'ada/quay#01',
  'ada/quay#x',
  '_ada/quay#1',
  '-ada/quay#1',
  'ada/quay/x#1',
  'ada/qu ay#1',
  `${'a'.repeat(40)}/q#5`,
  'ada/quay#99999999999',
])('%j names none', (text) => {
  expect(parseIssue(text)).toBeNull();
});
