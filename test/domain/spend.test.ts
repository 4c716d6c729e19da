import { expect, test } from '@jest/globals';
import { NO_CLAIMS, reconcile, withClaim } from '../../src/domain/spend.js';

test('a session’s total goes on over its resumes; another session adds to it', () => {
  const steps: [string, number][] = [
    ['one', 1],
    ['one', 2.5],
    ['two', 0.5],
    ['one', 2],
  ];
  const claims = steps.reduce((all, [session, total]) => withClaim(all, session, total), NO_CLAIMS);
  expect(reconcile(0, claims).usd).toBe(3);
});

test.each([
  ['the same', 1, 1, 1, null],
  ['rounding', 1, 1.01, 1.01, null],
  ['a tenth', 10, 9.1, 10, null],
  ['more counted than claimed', 10, 2, 10, 8],
  ['more claimed than counted', 2, 10, 10, 8],
  ['very little', 0.001, 0.02, 0.02, null],
])('%s: the larger figure is taken, and a gap is named', (_, counted, claimed, usd, gapUsd) => {
  expect(reconcile(counted, withClaim(NO_CLAIMS, 'one', claimed))).toEqual({ usd, gapUsd });
});

test('a CLI that said nothing, because it was killed, is no gap', () => {
  expect(reconcile(10, NO_CLAIMS)).toEqual({ usd: 10, gapUsd: null });
});
