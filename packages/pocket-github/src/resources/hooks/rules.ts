import type { App, HookConfig, HookDelivery } from '../../world/model.js';
import type { World } from '../../world/world.js';
import { actorOfApp } from '../apps/rules.js';

/** Sets where an App's webhooks go and what signs them. A new address is greeted with a ping. */
export async function configureHook(world: World, app: App, hook: HookConfig): Promise<App> {
  const changed = world.tables.apps.update(app, { hook });
  if (hook.url !== app.hook?.url) await world.record(actorOfApp(app), 'hook pinged', {}, { appId: app.id });
  return changed;
}

/** Sends a delivery once more, under the same message id. */
export async function redeliver(world: World, app: App, delivery: HookDelivery): Promise<void> {
  await world.record(actorOfApp(app), 'delivery requested again', {}, { deliveryId: delivery.id });
}
