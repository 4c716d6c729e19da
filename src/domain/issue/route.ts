import type { RunOptions } from './options.js';
import { isBeyond, type Phase } from './phase.js';
import type { Size } from './size.js';

export const REVIEW_DEPTHS = ['light', 'full'] as const;
export type ReviewDepth = (typeof REVIEW_DEPTHS)[number];

export type Route =
  /** One commit straight onto the base branch. */
  | { readonly kind: 'patch' }
  /** A pull request, reviewed and merged. */
  | { readonly kind: 'pr'; readonly depth: ReviewDepth }
  /** A graph of sub-issues. */
  | { readonly kind: 'graph' };

export interface RouteFacts {
  readonly size: Size | null;
  readonly options: RunOptions;
  /** The base branch does not accept direct pushes from us. */
  readonly baseProtected: boolean;
  /** Why nothing may land directly, whatever the size. */
  readonly pullReason: string | null;
}

/** The only place that decides a route. Called at every phase boundary, so that a changed size changes the route. */
export function routeOf({ size, options, baseProtected, pullReason }: RouteFacts): Route {
  if (size === 'XL') return { kind: 'graph' };
  const depth = options.review ?? (size === 'L' ? 'full' : 'light');
  const wanted = options.route ?? (isSmall(size) && !wantsPull(options) ? 'patch' : 'pr');
  return wanted === 'patch' && !baseProtected && pullReason === null ? { kind: 'patch' } : { kind: 'pr', depth };
}

const isSmall = (size: Size | null): boolean => size === 'XS' || size === 'S';

/** A review, or a stop before the merge, only makes sense with a pull request: a patch would already be on base. */
function wantsPull({ stopAt, review }: RunOptions): boolean {
  return review !== undefined || (stopAt !== undefined && isBeyond('merge', stopAt));
}

/** The phases an issue of this route and size goes through, in order. */
export function phasesOf(route: Route, size: Size | null): readonly Phase[] {
  const planning: readonly Phase[] = size === 'XS' ? ['issue'] : ['issue', 'spec'];
  switch (route.kind) {
    case 'patch':
      return [...planning, 'code', 'verify', 'done'];
    case 'pr':
      return [...planning, 'code', 'review', 'merge', 'verify', 'done'];
    case 'graph':
      return ['issue', 'done'];
  }
}

export function formatRoute(route: Route): string {
  return route.kind === 'pr' ? `pr, ${route.depth} review` : route.kind;
}
