import { FairPool } from './fair-pool.js';

/** The API's own limit, and what the bodies of one run may hold together. */
export const MAX_REQUEST_BYTES = 32 * 1024 * 1024;

/** A conversation of a million tokens is about five. */
const SHARE_BYTES = 6 * 1024 * 1024;
const TOTAL_BYTES = 96 * 1024 * 1024;

/** The CLI has one connection for each request under way, and seldom more than three of them. */
const MAX_CONNECTIONS = 32;
const SHARE_CONNECTIONS = 8;
const TOTAL_CONNECTIONS = 512;

/** The first line and the headers of a connection's first request. */
export const HEAD_TIMEOUT_MS = 30_000;
/** From the first to the last byte of a body. */
export const BODY_TIMEOUT_MS = 60_000;
/** Waiting for memory that others hold. */
export const MEMORY_TIMEOUT_MS = 60_000;

/** Requests of one run that are passed on at once, and how many more may wait for their turn. */
export const LINE = { atOnce: 4, inLine: 20 } as const;

/** The CLI asks for nothing that is not allowed. Whoever does so again and again wants to keep us busy. */
export const MAX_REFUSALS = 100;

/** What the doors of all runs share. */
export interface GatePools {
  readonly connections: FairPool;
  readonly bytes: FairPool;
}

export const openPools = (): GatePools => ({
  connections: new FairPool({ total: TOTAL_CONNECTIONS, perRun: MAX_CONNECTIONS, share: SHARE_CONNECTIONS }),
  bytes: new FairPool({ total: TOTAL_BYTES, perRun: MAX_REQUEST_BYTES, share: SHARE_BYTES }),
});
