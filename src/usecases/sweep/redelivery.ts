import type { Clock, Instant } from '../../ports/clock.js';
import type { HintStore } from '../../ports/hint-store.js';
import type { Log } from '../../ports/log.js';
import type { FailedDelivery, Scanner } from '../../ports/scanner.js';

export interface RedeliveryParts {
  readonly scanner: Pick<Scanner, 'failedDeliveries' | 'redeliver'>;
  readonly hints: HintStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether we handle events of this name. */
  readonly handlesEvent: (event: string) => boolean;
}

const KEY = 'sweep deliveries';
/** GitHub keeps deliveries for three days. */
const KEPT_MS = 3 * 24 * 3_600_000;
const LOOK_BACK_MS = 24 * 3_600_000;
const OVERLAP_MS = 120_000;
/** Tries for one delivery. */
const MOST_TRIES = 3;
/** Deliveries in one pass; a long outage takes several. */
const MOST_AT_ONCE = 30;

interface Stored {
  readonly upTo: Instant;
  /** Failures that were handled: id, guid, time. */
  readonly dealt: readonly (readonly [id: number, guid: string, at: Instant])[];
}

/** Asks GitHub to redeliver failed deliveries, each a few times. What stays undelivered is found by the sweep. */
export async function redeliverFailed({ scanner, hints, clock, log, handlesEvent }: RedeliveryParts): Promise<void> {
  const now = clock.now();
  const stored = parseStored(await hints.get(KEY), now) ?? { upTo: now - LOOK_BACK_MS, dealt: [] };
  const failed = await scanner.failedDeliveries(Math.max(stored.upTo - OVERLAP_MS, now - KEPT_MS));
  const ids = new Set(stored.dealt.map(([id]) => id));
  const due = failed.filter(({ id, event }) => handlesEvent(event) && !ids.has(id));
  const dealt = [...stored.dealt];
  for (const delivery of due.slice(0, MOST_AT_ONCE)) {
    const tries = dealt.filter(([, guid]) => guid === delivery.guid).length;
    if (tries < MOST_TRIES) await again(delivery, tries);
    dealt.push([delivery.id, delivery.guid, delivery.at]);
  }
  const left = due[MOST_AT_ONCE];
  const upTo = left?.at ?? failed.at(-1)?.at ?? stored.upTo;
  const kept = dealt.filter(([, , at]) => at > now - KEPT_MS);
  await hints.set(KEY, JSON.stringify({ upTo, dealt: kept } satisfies Stored), KEPT_MS);

  async function again(delivery: FailedDelivery, tries: number): Promise<void> {
    const { guid, event } = delivery;
    try {
      await scanner.redeliver(delivery);
      log.info({ delivery: guid, event, tries: tries + 1 }, 'failed delivery redelivered');
    } catch (error) {
      log.warn({ delivery: guid, event, error: String(error) }, 'failed delivery not redelivered');
    }
  }
}

/** Stored values that make no sense are ignored. */
function parseStored(text: string | null, now: Instant): Stored | null {
  try {
    const { upTo, dealt } = JSON.parse(text ?? 'null') as Partial<Stored>;
    return typeof upTo === 'number' && upTo <= now + OVERLAP_MS && dealt?.every(Array.isArray) === true
      ? { upTo, dealt }
      : null;
  } catch {
    return null;
  }
}
