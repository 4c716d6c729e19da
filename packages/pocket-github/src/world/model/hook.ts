import type { Instant } from '../../clock/clock.js';
import type { Row } from '../table.js';

/** One attempt chain of a webhook: what was sent where, and how it was answered. */
export interface HookDelivery extends Row {
  readonly appId: number;
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly url: string;
  readonly deliveredAt: Instant;
  readonly redelivery: boolean;
  readonly durationSeconds: number;
  readonly status: string;
  readonly statusCode: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly payload: string;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
}
