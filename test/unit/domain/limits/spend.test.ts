import { expect, test } from '@jest/globals';
import { reconcileCost } from '../../../../src/domain/limits/spend.js';

test.each([
  ['the same', 1, 1, 1, null],
  ['rounding', 1, 1.01, 1.01, null],
  ['a tenth', 10, 9.1, 10, null],
  ['more counted than claimed', 10, 2, 10, 8],
  ['more claimed than counted', 6, 10, 10, 4],
  ['more claimed than anybody could have spent', 2, 1e9, 5, 1e9 - 2],
  ['something claimed where nothing was counted', 0, 0.5, 0.5, 0.5],
  ['very little', 0.001, 0.02, 0.02, null],
])('%s: the larger figure is taken, and a gap is named', (_, counted, claimed, usd, gapUsd) => {
  expect(reconcileCost(counted, claimed)).toEqual({ usd, gapUsd });
});

test('a CLI that said nothing, because it was killed, is no gap', () => {
  expect(reconcileCost(10, null)).toEqual({ usd: 10, gapUsd: null });
});
