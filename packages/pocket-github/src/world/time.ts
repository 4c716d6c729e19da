import type { Instant } from '../clock/clock.js';

/** GitHub's timestamps: UTC, whole seconds. */
export function isoTime(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

export function isoTimeOrNull(at: Instant | null): string | null {
  return at === null ? null : isoTime(at);
}
