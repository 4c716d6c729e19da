import type { RequestEffect } from '../faults/fault.js';
import type { Viewer } from '../identity/viewer.js';
import type { Urls } from '../urls.js';
import type { Tables } from '../world/tables.js';
import type { World } from '../world/world.js';
import type { RateResource, RateStatus } from './rate-limit.js';

/** What it takes to show a record: where to look up what it refers to, and where addresses begin. */
export interface Scope {
  readonly db: Tables;
  readonly urls: Urls;
}

/** What the request costs its caller, and what is left. */
export interface RateAccount {
  readonly status: (resource: RateResource) => RateStatus;
  readonly points: number;
  /** GraphQL: the most nodes the document could return. */
  readonly nodes: number;
}

/** What every handler and resolver gets. Read from `db` (it may lag on purpose); change through `world`. */
export interface Context extends Scope {
  readonly world: World;
  readonly viewer: Viewer;
  readonly rate: RateAccount;
  /** Of the faults that hit this request. */
  readonly effects: readonly RequestEffect[];
}
