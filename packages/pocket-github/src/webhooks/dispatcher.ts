import type { FaultPlan } from '../faults/fault-plan.js';
import type { Journal } from '../journal/journal.js';
import type { Resource } from '../resources/resource.js';
import type { Urls } from '../urls.js';
import type { AnyWorldEvent, EventName } from '../world/events.js';
import type { World } from '../world/world.js';
import { type Addressee, addresseesOf } from './addressees.js';
import { bodyFor } from './common-members.js';
import { type Delivery, guidOf } from './delivery.js';
import type { PayloadBuilder, PayloadBuilders, PayloadContext, Webhook } from './payload.js';
import { Sender } from './sender.js';

export interface WebhookParts {
  readonly world: World;
  readonly urls: Urls;
  readonly faults: FaultPlan;
  readonly journal: Journal;
  readonly resources: readonly Resource[];
}

/** Starts to send every event to subscribed Apps. Call before other reactions, so that webhooks keep the order of events. */
export function startWebhooks({ world, urls, faults, journal, resources }: WebhookParts): Sender {
  const builders = mergeBuilders(resources.map((resource) => resource.payloads ?? {}));
  const sender = new Sender({ world, faults, journal });
  const context: PayloadContext = { world, db: world.tables, urls };
  world.react(async (_, event) => {
    if (event.name === 'delivery requested again') return sender.queue(sameAgain(world, event.data.deliveryId));
    const build = builders[event.name] as PayloadBuilder<EventName> | undefined;
    const built = (await build?.(context, event)) ?? [];
    for (const webhook of [built].flat()) announce(context, sender, webhook, event);
  });
  return sender;
}

/** Merges the builders of all resources; two for one event are a mistake. */
function mergeBuilders(maps: readonly PayloadBuilders[]): PayloadBuilders {
  const merged: Record<string, unknown> = {};
  for (const [name, builder] of maps.flatMap((map) => Object.entries(map))) {
    if (merged[name] !== undefined) throw new Error(`two webhook builders for the event "${name}"`);
    merged[name] = builder;
  }
  return merged;
}

function announce(context: PayloadContext, sender: Sender, webhook: Webhook, event: AnyWorldEvent): void {
  for (const addressee of addresseesOf(context.db, webhook, event.repositoryId)) {
    const delivery = deliveryTo(context, addressee, webhook, event);
    if (delivery !== null) sender.queue(delivery);
  }
}

/** Nothing is made for an App without a webhook address. */
function deliveryTo(
  context: PayloadContext,
  addressee: Addressee,
  webhook: Webhook,
  event: AnyWorldEvent,
): Delivery | null {
  const { app, installation } = addressee;
  if (app.hook === null) return null;
  const body = bodyFor(context, webhook, event, addressee);
  const id = context.world.newId();
  return {
    id,
    guid: guidOf(id),
    app,
    hook: app.hook,
    event: webhook.event,
    action: typeof body['action'] === 'string' ? body['action'] : null,
    installationId: installation?.id ?? installationIn(body),
    repositoryId: event.repositoryId,
    body: JSON.stringify(body),
    redelivery: false,
  };
}

function installationIn(body: Readonly<Record<string, unknown>>): number | null {
  const installation = body['installation'] as { readonly id?: unknown } | undefined;
  return typeof installation?.id === 'number' ? installation.id : null;
}

/** The same message as before, to the App's present address. */
function sameAgain(world: World, deliveryId: number): Delivery {
  const former = world.tables.deliveries.must(deliveryId);
  const app = world.tables.apps.must(former.appId);
  const { guid, event, action, installationId, repositoryId, payload: body } = former;
  const hook = app.hook ?? { url: former.url, secret: null };
  return { id: world.newId(), guid, app, hook, event, action, installationId, repositoryId, body, redelivery: true };
}
