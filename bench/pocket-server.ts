import { systemClock } from '../src/adapters/clock/system-clock.js';
import { startPocket } from '../packages/pocket-github/src/pocket.js';
import { parseSeed } from '../packages/pocket-github/src/seed/parse-seed.js';
import { plantSeed } from '../packages/pocket-github/src/seed/plant-seed.js';
import { SAMPLE_SEED } from '../packages/pocket-github/src/seed/sample.js';

/* A Pocket GitHub of its own process, without hourly limits, until its parent goes away. */
const unlimited = Number.MAX_SAFE_INTEGER;
const pocket = await startPocket({
  clock: systemClock,
  rateLimits: { core: unlimited, graphql: unlimited, anonymous: unlimited },
});
const planted = await plantSeed(pocket.world, parseSeed(SAMPLE_SEED, 'the sample'), null);
process.once('disconnect', () => void pocket.close());
process.send?.({ api: pocket.urls.api, graphql: pocket.urls.graphql, token: planted.tokens['wren'] });
