import type { components } from '@octokit/openapi-webhooks-types';
import type { Scope } from '../http/context.js';
import type { EventName, WorldEvent } from '../world/events.js';
import type { World } from '../world/world.js';

/** A webhook before it is addressed: the event's name as in `X-GitHub-Event`, and the body without the common part. */
export interface Webhook {
  readonly event: string;
  /** `action` and the event's own members; `repository`, `organization`, `sender`, `installation` are added per receiver. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Only this App receives it (check_suite.requested, installation events); if absent, all subscribed Apps do. */
  readonly onlyAppId?: number;
  /** The organisation a webhook without a repository is about (projects_v2_item). */
  readonly accountId?: number;
}

/** Builders run at the moment of the event: `db` is the live state, so the payload shows what was true then. */
export interface PayloadContext extends Scope {
  readonly world: World;
}

type Webhooks = Webhook | readonly Webhook[] | null;

/** A builder that shows a commit reads it from git; the event waits for it. */
export type PayloadBuilder<N extends EventName> = (
  context: PayloadContext,
  event: WorldEvent<N>,
) => Webhooks | Promise<Webhooks>;

/** Event → its webhooks. An event without a builder sends no webhook (it may still be in the timeline). */
export type PayloadBuilders = { readonly [N in EventName]?: PayloadBuilder<N> };

type Schemas = components['schemas'];
/** Every payload GitHub publishes a schema for, e.g. `webhook-issues-labeled`. */
export type WebhookSchema = Extract<keyof Schemas, `webhook-${string}`>;
/** Added for each receiver when the webhook is sent. */
type CommonMember = 'repository' | 'organization' | 'sender' | 'installation' | 'enterprise';

/** A webhook whose body is checked, at compile time, against GitHub's published schema. */
export function webhook<S extends WebhookSchema>(
  event: string,
  _schema: S,
  payload: Omit<Schemas[S], CommonMember>,
): Webhook {
  return { event, payload };
}
