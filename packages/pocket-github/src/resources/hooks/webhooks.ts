import { type PayloadBuilders, type Webhook, webhook } from '../../webhooks/payload.js';
import { isoTime } from '../../world/time.js';
import { ZEN } from '../meta/zen.js';

export const hookPayloads: PayloadBuilders = {
  'hook pinged': ({ db, urls }, { data }): Webhook | null => {
    const app = db.apps.must(data.appId);
    if (app.hook === null) return null;
    const secret = app.hook.secret === null ? {} : { secret: '********' };
    const ping = webhook('ping', 'webhook-ping', {
      zen: ZEN,
      hook_id: app.id,
      hook: {
        type: 'App',
        id: app.id,
        name: 'web',
        active: true,
        events: [...app.events],
        config: { content_type: 'json', insecure_ssl: '0', url: app.hook.url, ...secret },
        updated_at: isoTime(app.createdAt),
        created_at: isoTime(app.createdAt),
        app_id: app.id,
        deliveries_url: `${urls.api}/app/hook/deliveries`,
      },
    });
    return { ...ping, onlyAppId: app.id };
  },
};
