import { z } from 'zod';
import { json, ok, type Reply } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { notFound, unprocessable, UnmodelledError } from '../../world/errors.js';
import type { HookConfig, HookDelivery } from '../../world/model.js';
import { isLoopbackUrl } from '../../webhooks/loopback.js';
import { appOf } from '../apps/rest.js';
import { deliveryJson } from './delivery-json.js';
import { listDeliveries } from './delivery-list.js';
import { configureHook, redeliver } from './rules.js';

function deliveryIn({ context, params }: RestRequest<unknown, unknown>): HookDelivery {
  const delivery = context.db.deliveries.get(Number(params['delivery_id']));
  if (delivery?.appId !== appOf(context).id) throw notFound();
  return delivery;
}

/** GitHub never shows a secret again, only that there is one. */
function configJson(hook: HookConfig | null) {
  return {
    content_type: 'json',
    insecure_ssl: '0',
    ...(hook === null ? {} : { url: hook.url }),
    ...((hook?.secret ?? null) === null ? {} : { secret: '********' }),
  };
}

const configuration = [
  route('GET /app/hook/config', {
    access: 'app-jwt',
    handle: ({ context }) => ok(configJson(appOf(context).hook)),
  }),
  route('PATCH /app/hook/config', {
    access: 'app-jwt',
    body: z.object({
      url: z.url().optional(),
      content_type: z.enum(['json', 'form']).optional(),
      secret: z.string().optional(),
      insecure_ssl: z.union([z.string(), z.number()]).optional(),
    }),
    handle: async ({ context, body }) => {
      if (body.content_type === 'form') throw new UnmodelledError('webhooks with content_type "form"');
      const app = appOf(context);
      const url = body.url ?? app.hook?.url;
      if (url === undefined) throw unprocessable('Hook url is missing');
      if (!isLoopbackUrl(url)) throw new UnmodelledError(`webhooks to other machines (${url})`);
      const secret = body.secret ?? app.hook?.secret ?? null;
      const changed = await configureHook(context.world, app, { url, secret: secret === '' ? null : secret });
      return ok(configJson(changed.hook));
    },
  }),
];

const deliveries = [
  route('GET /app/hook/deliveries', {
    access: 'app-jwt',
    query: z.object({
      per_page: z.coerce.number().int().catch(30).optional(),
      cursor: z.string().optional(),
      status: z.enum(['success', 'failure']).optional(),
    }),
    handle: ({ context, query }) => listDeliveries(context, appOf(context), query),
  }),
  route('GET /app/hook/deliveries/{delivery_id}', {
    access: 'app-jwt',
    handle: (request) => ok(deliveryJson(deliveryIn(request))),
  }),
  route('POST /app/hook/deliveries/{delivery_id}/attempts', {
    access: 'app-jwt',
    handle: async (request): Promise<Reply<Record<string, never>>> => {
      await redeliver(request.context.world, appOf(request.context), deliveryIn(request));
      return json(202, {});
    },
  }),
];

export const hookRoutes = [...configuration, ...deliveries];
