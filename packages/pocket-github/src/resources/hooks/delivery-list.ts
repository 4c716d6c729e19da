import type { Context } from '../../http/context.js';
import { json } from '../../http/reply.js';
import { unprocessable } from '../../world/errors.js';
import type { App, HookDelivery } from '../../world/model.js';
import { deliveryItemJson } from './delivery-json.js';

export interface DeliveryQuery {
  readonly per_page?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: 'success' | 'failure' | undefined;
}

const formatCursor = (delivery: HookDelivery): string => `v1_${delivery.id}`;

/** GitHub's classes by status code. */
function hasStatus({ statusCode }: HookDelivery, wanted: DeliveryQuery['status']): boolean {
  if (wanted === 'success') return statusCode >= 200 && statusCode < 400;
  return wanted === undefined || (statusCode >= 400 && statusCode < 600);
}

/** An App's deliveries, newest first, page by page along a cursor: where a page begins. */
export function listDeliveries(context: Context, app: App, query: DeliveryQuery) {
  const rows = context.db.deliveries
    .by('appId', app.id)
    .filter((delivery) => hasStatus(delivery, query.status))
    .sort((a, b) => b.deliveredAt - a.deliveredAt || b.id - a.id);
  const size = Math.min(100, Math.max(1, query.per_page ?? 30));
  const start = query.cursor === undefined ? 0 : rows.findIndex((row) => formatCursor(row) === query.cursor);
  if (start < 0) throw unprocessable('Invalid cursor');
  const link = (row: HookDelivery | undefined, rel: string): string[] => {
    if (row === undefined) return [];
    const search = new URLSearchParams({
      per_page: String(size),
      cursor: formatCursor(row),
      ...(query.status ? { status: query.status } : {}),
    });
    return [`<${context.urls.api}/app/hook/deliveries?${search.toString()}>; rel="${rel}"`];
  };
  const previous = start === 0 ? undefined : rows[Math.max(0, start - size)];
  const links = [...link(rows[start + size], 'next'), ...link(previous, 'prev')];
  const page = rows.slice(start, start + size).map(deliveryItemJson);
  return json(200, page, links.length === 0 ? {} : { link: links.join(', ') });
}
