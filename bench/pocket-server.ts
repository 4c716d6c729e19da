import { systemClock } from '../src/adapters/clock/system-clock.js';
import { parseSeed, plantSeed, SAMPLE_SEED, startPocket } from '#pocket-github';

/* A Pocket GitHub in its own process, without hourly limits. Ends with its parent. */
const unlimited = Number.MAX_SAFE_INTEGER;
const pocket = await startPocket({
  clock: systemClock,
  rateLimits: { core: unlimited, graphql: unlimited, anonymous: unlimited },
});
const planted = await plantSeed(pocket.world, parseSeed(SAMPLE_SEED, 'the sample'), null);
process.once('disconnect', () => void pocket.close());
process.send?.({ api: pocket.urls.api, graphql: pocket.urls.graphql, token: planted.tokens['wren'] });
