import type { components } from '@octokit/openapi-types';
import type { HookDelivery } from '../../world/model.js';
import { isoTime } from '../../world/time.js';

type Schemas = components['schemas'];

/** A delivery as it stands in the list. */
export function deliveryItemJson(delivery: HookDelivery) {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: isoTime(delivery.deliveredAt),
    redelivery: delivery.redelivery,
    duration: delivery.durationSeconds,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  } satisfies Schemas['hook-delivery-item'];
}

/** A delivery with what was sent and what came back. */
export function deliveryJson(delivery: HookDelivery) {
  return {
    ...deliveryItemJson(delivery),
    url: delivery.url,
    request: {
      headers: { ...delivery.requestHeaders },
      payload: JSON.parse(delivery.payload) as Record<string, unknown>,
    },
    response: { headers: { ...delivery.responseHeaders }, payload: delivery.responseBody },
  } satisfies Schemas['hook-delivery'];
}
