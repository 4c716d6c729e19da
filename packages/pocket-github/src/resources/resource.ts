import type { ResolverMap } from '../graphql/resolvers.js';
import type { Route } from '../http/route.js';
import type { PayloadBuilders } from '../webhooks/payload.js';
import type { Reaction } from '../world/world.js';

/**
 * One resource of GitHub. Its folder holds `rules.ts` (what may change and what follows), `rest.ts`, `graphql.ts`,
 * `webhooks.ts`; `index.ts` exports this. Adding to Pocket means adding a resource or a field to one, nothing else.
 */
export interface Resource {
  readonly name: string;
  readonly routes?: readonly Route[];
  readonly resolvers?: ResolverMap;
  readonly payloads?: PayloadBuilders;
  /** What GitHub does by itself after an event. Runs after the webhooks of that event were queued. */
  readonly reactions?: readonly Reaction[];
}
