import { allSingles, seeded, someCrashes, somePairs, someSingles } from '../support/people-cases.js';
import type { PeopleSuite } from './people.js';

/** Every act at some kinds of boundary. */
export const oneAtATime = (most: number): PeopleSuite => ({
  title: 'one at a time',
  cases: (stage, seed) => someSingles(stage, seeded(seed), most),
});

/** Every act at every boundary; no seed changes that. */
export const ONE_EVERYWHERE: PeopleSuite = { title: 'one everywhere', cases: (stage) => allSingles(stage) };

export const twoAtATime = (count: number): PeopleSuite => ({
  title: 'two at a time',
  cases: (stage, seed) => somePairs(stage, seeded(seed), count),
});

export const oneAndACrash = (count: number): PeopleSuite => ({
  title: 'one and a crash',
  cases: (stage, seed) => someCrashes(stage, seeded(seed + 1_000_000), count),
});

const asked = Number(process.env['SLUICE_TEST_SEEDS'] ?? '3');

/** As many as `--seeds` asks for. */
export const SEEDS: readonly number[] = Array.from({ length: Number.isInteger(asked) ? asked : 3 }, (_, n) => n + 1);
