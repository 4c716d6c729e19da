import type { Scope } from '../http/context.js';
import type { World } from '../world/world.js';

/** What a page is made from: the live state, and git for commits and diffs. */
export interface PageScope extends Scope {
  readonly world: World;
}
