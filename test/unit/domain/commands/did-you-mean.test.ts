import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { didYouMean, editDistance } from '../../../../src/domain/commands/did-you-mean.js';

test.each([
  ['stop', 'stop', 0],
  ['stpo', 'stop', 1],
  ['sto', 'stop', 1],
  ['stoop', 'stop', 1],
  ['stip', 'stop', 1],
  ['', 'stop', 4],
  ['pause', 'stop', 5],
])('from %j to %j it takes %d', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance);
});

test('the distance is the same both ways and at most the longer word', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});

test.each([
  ['stpo', 'stop'],
  ['STOP', 'stop'],
  ['contniue', 'continue'],
  ['pasue', 'pause'],
  ['or', null],
  ['seven', null],
  ['s'.repeat(10_000), null],
])('%s: %s', (word, meant) => {
  expect(didYouMean(word, ['stop', 'pause', 'continue', 'pr'])).toBe(meant);
});
