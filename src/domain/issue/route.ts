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
  /** The base branch takes no direct pushes from us. */
  readonly baseProtected: boolean;
  /** Why nothing may land directly, whatever the size. */
  readonly pullReason: string | null;
}

/** The one place a route is decided. Asked again at every phase boundary, so a changed size re-routes. */
export function routeOf({ size, options, baseProtected, pullReason }: RouteFacts): Route {
  if (size === 'XL') return { kind: 'graph' };
  const depth = options.review ?? (size === 'L' ? 'full' : 'light');
  const wanted = options.route ?? (isSmall(size) && !wantsPull(options) ? 'patch' : 'pr');
  return wanted === 'patch' && !baseProtected && pullReason === null ? { kind: 'patch' } : { kind: 'pr', depth };
}

const isSmall = (size: Size | null): boolean => size === 'XS' || size === 'S';

/** Who asks for a review, or to stop before the merge, wants the work looked at first: a patch would be on base already. */
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
