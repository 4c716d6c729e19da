import type { DeliveryEffect } from '../faults/fault.js';
import type { FaultPlan, Hit } from '../faults/fault-plan.js';
import type { Journal } from '../journal/journal.js';
import { fullName } from '../world/lookup.js';
import type { World } from '../world/world.js';
import { type Delivery, headersOf } from './delivery.js';
import { Lanes } from './lanes.js';
import { type Answer, post } from './post.js';

export interface SenderParts {
  readonly world: World;
  readonly faults: FaultPlan;
  readonly journal: Journal;
  /** How long a receiver may take, in real time. */
  readonly timeoutMs?: number;
  /** Concurrent deliveries to one App. With more than one, they may arrive in another order. */
  readonly inFlight?: number;
}

/** A delivery with what the faults make of it. */
interface Parcel {
  readonly delivery: Delivery;
  readonly fault: string | null;
  readonly misSigned: boolean;
}

/** GitHub gives a receiver ten seconds. */
const TIMEOUT_MS = 10_000;
/** GitHub keeps deliveries for three days; Pocket the newest of them. */
const KEPT_DELIVERIES = 2000;
const FORGET_EVERY = 100;

/** Sends deliveries, in order per App, and writes down how they were answered. Like GitHub it never tries twice by itself. */
export class Sender {
  readonly #parts: SenderParts;
  readonly #lanes: Lanes<Parcel>;
  readonly #stop = new AbortController();
  /** Waiting for the clock. */
  readonly #delayed = new Set<Parcel>();
  /** Waiting for the next delivery to the same App, to be sent after it. */
  #overtaken: Parcel[] = [];
  #sent = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#lanes = new Lanes(parts.inFlight ?? 1, (parcel) => this.#send(parcel));
  }

  /** Sends a delivery, with the faults that are armed for it. */
  queue(delivery: Delivery): void {
    const hits = this.#parts.faults.forDelivery({ event: delivery.event, action: delivery.action });
    const fault = hits.map((hit) => `${hit.effect.kind}#${hit.id}`).join(' ') || null;
    const parcel = { delivery, fault, misSigned: effectIn(hits, 'mis-sign') !== undefined };
    if (effectIn(hits, 'drop') !== undefined) return this.#note(parcel, 0);
    const copies = effectIn(hits, 'duplicate')?.copies ?? 0;
    const extra = Array.from({ length: copies }, () => ({
      ...parcel,
      delivery: { ...delivery, id: this.#parts.world.newId() },
    }));
    for (const each of [parcel, ...extra]) this.#dispatch(each, hits);
  }

  #dispatch(parcel: Parcel, hits: readonly Hit<DeliveryEffect>[]): void {
    const { clock } = this.#parts.world;
    const delay = effectIn(hits, 'delay')?.ms;
    if (delay !== undefined) {
      this.#delayed.add(parcel);
      clock.at(clock.now() + delay, () => {
        if (this.#delayed.delete(parcel)) this.#enqueue(parcel);
      });
    } else if (effectIn(hits, 'reorder') === undefined) {
      this.#enqueue(parcel);
    } else {
      this.#overtaken.push(parcel);
    }
  }

  #enqueue(parcel: Parcel): void {
    const appId = parcel.delivery.app.id;
    const late = this.#overtaken.filter((other) => other.delivery.app.id === appId);
    this.#overtaken = this.#overtaken.filter((other) => !late.includes(other));
    for (const each of [parcel, ...late]) this.#lanes.add(appId, each);
  }

  /** Deliveries a fault holds back: for the clock, or for the next one to overtake them. */
  held(): readonly Delivery[] {
    return [...this.#delayed, ...this.#overtaken].map((parcel) => parcel.delivery);
  }

  isIdle(): boolean {
    return this.#lanes.isIdle();
  }

  /** Resolves when nothing is queued or in progress. Deliveries delayed by a fault do not count. */
  idle(): Promise<void> {
    return this.#lanes.idle();
  }

  /** Drops queued deliveries and aborts those in progress. */
  async close(): Promise<void> {
    this.#delayed.clear();
    this.#overtaken = [];
    this.#lanes.clear();
    this.#stop.abort();
    await this.idle();
  }

  async #send(parcel: Parcel): Promise<void> {
    const { world, timeoutMs } = this.#parts;
    const { delivery } = parcel;
    const { url, secret } = delivery.hook;
    const headers = headersOf(delivery, parcel.misSigned ? `not ${secret ?? 'a secret'}` : secret);
    const startedAt = world.now();
    const answer = await post(url, headers, delivery.body, timeoutMs ?? TIMEOUT_MS, this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    this.#keep(delivery, headers, answer, startedAt);
    this.#note(parcel, answer.reached ? answer.statusCode : 0);
  }

  #keep(delivery: Delivery, headers: Record<string, string>, answer: Answer, startedAt: number): void {
    const { world } = this.#parts;
    const { deliveries } = world.tables;
    const { id, guid, event, action, installationId, repositoryId, redelivery } = delivery;
    deliveries.insert({
      id,
      appId: delivery.app.id,
      guid,
      event,
      action,
      installationId,
      repositoryId,
      redelivery,
      url: delivery.hook.url,
      deliveredAt: startedAt,
      durationSeconds: (world.now() - startedAt) / 1000,
      status: answer.status,
      statusCode: answer.statusCode,
      requestHeaders: headers,
      payload: delivery.body,
      responseHeaders: answer.headers,
      responseBody: answer.body,
    });
    this.#sent += 1;
    if (this.#sent % FORGET_EVERY !== 0) return;
    for (const old of deliveries.all().slice(0, -KEPT_DELIVERIES)) deliveries.delete(old.id);
  }

  #note({ delivery, fault }: Parcel, status: number): void {
    const { world, journal } = this.#parts;
    const repository =
      delivery.repositoryId === null ? undefined : world.tables.repositories.get(delivery.repositoryId);
    journal.add({
      kind: 'delivery',
      at: world.now(),
      id: delivery.guid,
      event: delivery.event,
      action: delivery.action,
      repository: repository === undefined ? null : fullName(world.tables, repository),
      url: delivery.hook.url,
      status,
      redelivery: delivery.redelivery,
      fault,
    });
  }
}

function effectIn<K extends DeliveryEffect['kind']>(hits: readonly Hit<DeliveryEffect>[], kind: K) {
  return hits
    .map((hit) => hit.effect)
    .find((effect): effect is Extract<DeliveryEffect, { kind: K }> => effect.kind === kind);
}
