import { createHash, createHmac } from 'node:crypto';
import type { App, HookConfig } from '../world/model.js';

/** One webhook addressed to one App, with everything but the answer. */
export interface Delivery {
  /** Of the attempt: its row in `deliveries`. */
  readonly id: number;
  /** Of the message: the same in every attempt and copy. */
  readonly guid: string;
  readonly app: App;
  readonly hook: HookConfig;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly body: string;
  readonly redelivery: boolean;
}

/** A message id that looks like GitHub's and is the same in every run. */
export function guidOf(id: number): string {
  const hex = createHash('sha256').update(`delivery ${id}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** The headers GitHub sends. `key` signs: the hook's secret, or another when it is to be signed wrongly. */
export function headersOf(delivery: Delivery, key: string | null): Record<string, string> {
  const sign = (algorithm: string) =>
    createHmac(algorithm, key ?? '')
      .update(delivery.body)
      .digest('hex');
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/pocket',
    'x-github-delivery': delivery.guid,
    'x-github-event': delivery.event,
    'x-github-hook-id': String(delivery.app.id),
    'x-github-hook-installation-target-id': String(delivery.app.id),
    'x-github-hook-installation-target-type': 'integration',
    ...(key === null
      ? {}
      : { 'x-hub-signature': `sha1=${sign('sha1')}`, 'x-hub-signature-256': `sha256=${sign('sha256')}` }),
  };
}
