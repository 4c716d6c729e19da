import { FairPool } from './fair-pool.js';

/** The API's own limit, and the most that one run's bodies may hold together. */
export const MAX_REQUEST_BYTES = 32 * 1024 * 1024;

/** A conversation of a million tokens is about five megabytes. */
const SHARE_BYTES = 6 * 1024 * 1024;
const TOTAL_BYTES = 96 * 1024 * 1024;

/** The CLI opens one connection per request, seldom more than three. */
const MAX_CONNECTIONS = 32;
const SHARE_CONNECTIONS = 8;
const TOTAL_CONNECTIONS = 512;

/** The first line and the headers of a connection's first request. */
export const HEAD_TIMEOUT_MS = 30_000;
/** From the first to the last byte of a body. */
export const BODY_TIMEOUT_MS = 60_000;
/** Waiting for memory that others hold. */
export const MEMORY_TIMEOUT_MS = 60_000;

/** Requests of one run that are forwarded at once, and that may wait. */
export const LINE = { atOnce: 4, inLine: 20 } as const;

/** The CLI sends nothing that is refused. A run with more refusals than this is hostile. */
export const MAX_REFUSALS = 100;

/** What all runs share. */
export interface GatePools {
  readonly connections: FairPool;
  readonly bytes: FairPool;
}

export const openPools = (): GatePools => ({
  connections: new FairPool({ total: TOTAL_CONNECTIONS, perRun: MAX_CONNECTIONS, share: SHARE_CONNECTIONS }),
  bytes: new FairPool({ total: TOTAL_BYTES, perRun: MAX_REQUEST_BYTES, share: SHARE_BYTES }),
});
