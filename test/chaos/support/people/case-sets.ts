import { allSingles, seededRandom, someCrashes, somePairs, someSingles } from './cases.js';
import type { PeopleSuite } from './describe-people.js';

const given = Number(process.env['SLUICE_TEST_SEEDS']);
const asked = Number.isInteger(given) && given > 0 ? given : undefined;

/** Every act at some kinds of boundary. */
export const oneAtATime = (most: number): PeopleSuite => ({
  title: 'one at a time',
  cases: (stage, seed) => someSingles(stage, seededRandom(seed), most),
});

/** Every act at every boundary; no seed changes that. It takes about a quarter of an hour, so only who asks for seeds gets it. */
export const everywhere = (): readonly PeopleSuite[] =>
  asked === undefined ? [] : [{ title: 'one everywhere', cases: (stage) => allSingles(stage) }];

export const twoAtATime = (count: number): PeopleSuite => ({
  title: 'two at a time',
  cases: (stage, seed) => somePairs(stage, seededRandom(seed), count),
});

export const oneAndACrash = (count: number): PeopleSuite => ({
  title: 'one and a crash',
  cases: (stage, seed) => someCrashes(stage, seededRandom(seed + 1_000_000), count),
});

/** As many as `--seeds` asks for; without, one that `npm test` does not use. */
export const SEEDS: readonly number[] = asked === undefined ? [2] : Array.from({ length: asked }, (_, n) => n + 1);
