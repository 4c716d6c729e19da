import { z } from 'zod';
import type { Instant } from '../clock/clock.js';

/** A point in time as GitHub takes it in queries: ISO 8601. Kept as text, because links to other pages repeat it. */
export const timeParameter = z.string().refine((text) => Number.isFinite(Date.parse(text)), 'not a date-time');

/** Whether a record changed at or after `since`, if that was asked for at all. */
export function isSince(updatedAt: Instant, since: string | null | undefined): boolean {
  return since == null || updatedAt >= Date.parse(since);
}
