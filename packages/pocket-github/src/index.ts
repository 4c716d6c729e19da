/* A GitHub on loopback: start it, fill it from a seed, point any client at it. */
export { type Clock, type Instant } from './clock/clock.js';
export { ManualClock } from './clock/manual-clock.js';
export { systemClock } from './clock/system-clock.js';
export { type CiScript } from './ci/ci-script.js';
export { pocketCommand } from './command/pocket-command.js';
export { type Fault, type RefEffect, type RequestEffect } from './faults/fault.js';
export { type JournalEntry, type RequestEntry } from './journal/journal.js';
export { type Pocket, type PocketOptions, startPocket } from './pocket.js';
export { parseSeed, SeedError } from './seed/parse-seed.js';
export { type Planted, plantSeed } from './seed/plant-seed.js';
export { SAMPLE_SEED } from './seed/sample.js';
export { type Seed } from './seed/seed-schema.js';
