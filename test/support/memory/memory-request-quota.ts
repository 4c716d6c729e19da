import { formatIssue } from '../../../src/domain/issue/ids.js';
import type { Clock, Instant } from '../../../src/ports/clock.js';
import type { RequestQuota } from '../../../src/ports/request-quota.js';

const HOUR_MS = 60 * 60_000;

/** Quotas without Redis: everybody starts at once, and strangers are answered once an hour and issue. */
export function memoryRequestQuota(clock: Clock): RequestQuota {
  const answered = new Map<string, { readonly commentId: string; readonly at: Instant }>();
  return {
    commandsPerHour: 10,
    reserveStart: async () => null,
    countCommand: async () => null,
    claimAnswer: async (ref, accountId, commentId) => {
      const key = `${accountId} ${formatIssue(ref)}`;
      const last = answered.get(key);
      if (last !== undefined && last.commentId !== commentId && clock.now() < last.at + HOUR_MS) return false;
      answered.set(key, { commentId, at: clock.now() });
      return true;
    },
  };
}
