import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FaultPlan, Hit, RequestFacts } from '../faults/fault-plan.js';
import type { RequestEffect } from '../faults/fault.js';
import { authenticate } from '../identity/authenticate.js';
import { type Viewer, viewerName } from '../identity/viewer.js';
import type { Journal } from '../journal/journal.js';
import { secondaryCost } from '../journal/secondary-load.js';
import type { Urls } from '../urls.js';
import { badCredentials, GitHubError } from '../world/errors.js';
import type { World } from '../world/world.js';
import type { Context } from './context.js';
import { type RateLimiter, type RateResource, rateHeaders } from './rate-limit.js';
import { encodeBody } from './exchange.js';
import { json, type Reply, text } from './reply.js';
import { errorReply } from './rest.js';

/** One API call as the gate sees it, whatever its surface. */
export interface ApiCall {
  readonly facts: Omit<RequestFacts, 'actor'>;
  readonly authorization: string | undefined;
  /** Both APIs refuse who does not say what program they are; git says it by itself. */
  readonly userAgent?: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Which rate limit it counts against; git traffic counts against none. */
  readonly resource: RateResource | null;
  /** Primary rate-limit points; a call that costs nothing is answered even when nothing is left. */
  readonly points: number;
  /** GraphQL: the most nodes the document could return. */
  readonly nodes?: number;
  /** Reads may be answered from a stale view and by 304. */
  readonly reads: boolean;
  /** Sent with every answer of this call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How this surface words a refusal. */
  readonly refuse?: (error: GitHubError) => Reply;
  readonly answer: (context: Context) => Promise<{
    readonly reply: Reply;
    readonly unmodelled?: string | null;
    readonly errors?: readonly string[];
    /** A fault that struck while answering. */
    readonly fault?: string | null;
  }>;
}

/** What becomes of a call on the wire. */
export type Outcome =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Cut the connection. */
  | { readonly kind: 'reset' }
  /** Say nothing, ever. */
  | { readonly kind: 'silence' };

export interface GateParts {
  readonly world: World;
  readonly faults: FaultPlan;
  readonly journal: Journal;
  readonly limiter: RateLimiter;
  readonly urls: Urls;
}

interface Passage {
  readonly outcome: Outcome;
  /** What the caller's limit has lost by it. */
  readonly points: number;
  readonly applied: boolean;
  readonly fault: string | null;
  readonly unmodelled: string | null;
  readonly errors: readonly string[];
}

/** A call that came to nothing. */
const NO_PASSAGE: Passage = {
  outcome: { kind: 'silence' },
  points: 0,
  applied: false,
  fault: null,
  unmodelled: null,
  errors: [],
};

export const DOCS = 'https://docs.github.com/rest';

const NAMELESS = text(
  403,
  'Request forbidden by administrative rules. Please make sure your request has a User-Agent header ' +
    '(https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). ' +
    'Check https://developer.github.com for other possible causes.\n',
);

/** Where every API call passes: credential, faults, rate limit, answer, journal. In that order, for every surface alike. */
export class Gate {
  readonly #parts: GateParts;
  #answers = 0;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  async pass(call: ApiCall): Promise<Outcome> {
    const { world, journal, faults } = this.#parts;
    const at = world.now();
    const identity = this.#identify(call);
    const viewer: Viewer = identity instanceof GitHubError ? { kind: 'anonymous' } : identity;
    const facts = { ...call.facts, actor: viewerName(viewer) };
    const hits = faults.forRequest({ ...facts, nodes: call.nodes ?? 0 });
    const note = (status: number, { points, applied, fault, unmodelled, errors }: Passage): void => {
      const how = { tokenKind: viewer.kind, status, points, applied, fault, unmodelled, errors };
      journal.add({ kind: 'request', at, ...facts, ...how, ...secondaryCost(facts, call.reads) });
    };
    try {
      const passage = await this.#through(call, viewer, identity instanceof GitHubError ? identity : null, hits);
      note(passage.outcome.kind === 'reply' ? passage.outcome.reply.status : 0, passage);
      return passage.outcome;
    } catch (error) {
      // A defect of Pocket: answered with 500, and the journal must not keep quiet about it.
      note(500, { ...NO_PASSAGE, points: call.points, errors: [String(error)] });
      throw error;
    }
  }

  /** Unlike any other of this Pocket's, in the shape of GitHub's. */
  #requestId(): string {
    this.#answers += 1;
    const part = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
    const seconds = Math.floor(this.#parts.world.now() / 1000);
    return [part(this.#answers % 0xffff, 4), part(this.#answers, 6), part(seconds, 8)].join(':');
  }

  #identify(call: ApiCall): Viewer | GitHubError {
    try {
      return authenticate(this.#parts.world.tables, call.authorization, this.#parts.world.now());
    } catch (error) {
      if (error instanceof GitHubError) return error;
      throw error;
    }
  }

  async #through(
    call: ApiCall,
    viewer: Viewer,
    refusal: GitHubError | null,
    hits: readonly Hit<RequestEffect>[],
  ): Promise<Passage> {
    const fault = hits.map((hit) => `${hit.effect.kind}#${hit.id}`).join(' ') || null;
    const done = (outcome: Outcome, more: Partial<Passage> = {}): Passage => ({
      ...NO_PASSAGE,
      outcome,
      fault,
      ...more,
    });
    if (call.resource !== null && (call.userAgent ?? '') === '') return done({ kind: 'reply', reply: NAMELESS });
    await this.#delay(hits);
    const early = this.#before(call, viewer, hits);
    if (early !== null) return done(early);
    if (refusal !== null) return done(this.#finish(call, viewer, refuse(call, refusal)), { errors: [refusal.message] });
    const limited = this.#limited(call, viewer);
    if (limited !== null) return done(limited);
    if (call.resource !== null) this.#parts.limiter.charge(viewer, call.resource, call.points);
    const { changed, outcome: ending } = await this.#parts.world.watch(() =>
      call.answer(this.#context(call, viewer, hits)),
    );
    const answered = ending.status === 'fulfilled' ? ending.value : refusalAnswer(call, ending.reason);
    const outcome = lost(hits) ?? this.#finish(call, viewer, answered.reply);
    return done(outcome, {
      points: outcome.kind === 'reply' && outcome.reply.status === 304 ? 0 : call.points,
      applied: changed,
      unmodelled: answered.unmodelled ?? null,
      errors: answered.errors ?? [],
      fault: [fault, answered.fault].filter((hit) => hit != null).join(' ') || null,
    });
  }

  #context(call: ApiCall, viewer: Viewer, hits: readonly Hit<RequestEffect>[]): Context {
    const { world, urls, limiter } = this.#parts;
    const stale = hits.find((hit) => hit.effect.kind === 'stale')?.effect;
    const db = call.reads && stale?.kind === 'stale' ? world.asOf(stale.lagMs) : world.tables;
    const rate = {
      status: (resource: RateResource) => limiter.status(viewer, resource),
      points: call.points,
      nodes: call.nodes ?? 0,
    };
    return { world, db, viewer, urls, rate, effects: hits.map((hit) => hit.effect) };
  }

  async #delay(hits: readonly Hit<RequestEffect>[]): Promise<void> {
    const { clock } = this.#parts.world;
    for (const { effect } of hits) {
      if (effect.kind === 'latency') await new Promise<void>((resolve) => clock.at(clock.now() + effect.ms, resolve));
    }
  }

  /** Faults that strike before the work is done. */
  #before(call: ApiCall, viewer: Viewer, hits: readonly Hit<RequestEffect>[]): Outcome | null {
    for (const { effect } of hits) {
      if (effect.kind === 'unauthorized') return this.#finish(call, viewer, refuse(call, badCredentials()));
      if (effect.kind === 'primary-limit' && call.resource !== null) this.#parts.limiter.exhaust(viewer, call.resource);
      if (effect.kind === 'secondary-limit') return this.#finish(call, viewer, secondaryLimit(effect));
      if ('when' in effect && effect.when === 'before') return broken(effect);
    }
    return null;
  }

  #limited(call: ApiCall, viewer: Viewer): Outcome | null {
    if (call.resource === null) return null;
    const status = this.#parts.limiter.status(viewer, call.resource);
    if (status.remaining > 0 || call.points === 0) return null;
    const message = `API rate limit exceeded for ${viewer.kind === 'installation' ? `installation ID ${viewer.installation.id}` : `user ID ${viewerName(viewer)}`}.`;
    const reply =
      call.resource === 'graphql'
        ? json(200, { errors: [{ type: 'RATE_LIMITED', message }] })
        : json(403, { message, documentation_url: DOCS });
    return this.#finish(call, viewer, reply);
  }

  /** Adds what every answer carries: rate-limit headers and, for reads, the ETag or the 304 it allows. */
  #finish(call: ApiCall, viewer: Viewer, reply: Reply): Outcome {
    if (call.resource === null) return { kind: 'reply', reply };
    const headers: Record<string, string> = {
      ...rateHeaders(this.#parts.limiter.status(viewer, call.resource)),
      // Clients correct their own clock by this (App JWTs), so it must be the world's time.
      date: new Date(this.#parts.world.now()).toUTCString(),
      'x-github-request-id': this.#requestId(),
      'x-github-media-type': 'github.v3; format=json',
      ...(viewer.kind === 'personal' ? { 'x-oauth-scopes': viewer.token.scopes.join(', ') } : {}),
      ...call.headers,
      ...reply.headers,
    };
    if (call.resource !== 'core' || (reply.status !== 200 && reply.status !== 201))
      return { kind: 'reply', reply: { ...reply, headers } };
    const etag = `W/"${createHash('sha256').update(encodeBody(reply).bytes).digest('hex')}"`;
    if (call.reads && call.ifNoneMatch === etag) {
      this.#parts.limiter.charge(viewer, call.resource, -call.points);
      const refunded = rateHeaders(this.#parts.limiter.status(viewer, call.resource));
      return { kind: 'reply', reply: { status: 304, headers: { ...headers, ...refunded, etag }, body: null } };
    }
    return {
      kind: 'reply',
      reply: { ...reply, headers: { ...headers, ...validators(call, reply), etag } },
    };
  }
}

const shown = z.object({ url: z.string().optional(), updated_at: z.string().nullish() });

/** What a client may keep an answer by, and where a new thing is. */
function validators({ reads }: ApiCall, { status, body }: Reply): Record<string, string> {
  const { data } = shown.safeParse(body !== null && 'json' in body ? body.json : null);
  return {
    'cache-control': 'private, max-age=60, s-maxage=60',
    ...(reads && data?.updated_at != null ? { 'last-modified': new Date(data.updated_at).toUTCString() } : {}),
    ...(status === 201 && data?.url !== undefined ? { location: data.url } : {}),
  };
}

function refuse(call: ApiCall, error: GitHubError): Reply {
  return call.refuse?.(error) ?? errorReply(error, DOCS);
}

function refusalAnswer(
  call: ApiCall,
  reason: unknown,
): { reply: Reply; unmodelled: string | null; errors: readonly string[]; fault?: null } {
  const reply = reason instanceof GitHubError ? refuse(call, reason) : errorReply(reason, DOCS);
  const message = reason instanceof Error ? reason.message : String(reason);
  return { reply, unmodelled: reply.status === 501 ? message : null, errors: [message] };
}

function broken(effect: Extract<RequestEffect, { when: 'before' | 'after' }>): Outcome {
  if (effect.kind === 'reset') return { kind: 'reset' };
  if (effect.kind === 'timeout') return { kind: 'silence' };
  const message = effect.message ?? 'Server Error';
  return { kind: 'reply', reply: json(effect.status, { message }, { ...effect.headers }) };
}

/** Faults that strike after the work is done: the answer is lost, the change is not. */
function lost(hits: readonly Hit<RequestEffect>[]): Outcome | null {
  for (const { effect } of hits) if ('when' in effect && effect.when === 'after') return broken(effect);
  return null;
}

function secondaryLimit(effect: Extract<RequestEffect, { kind: 'secondary-limit' }>): Reply {
  const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
  const headers = effect.retryAfterSeconds === null ? {} : { 'retry-after': String(effect.retryAfterSeconds) };
  return json(effect.status, { message, documentation_url: `${DOCS}/overview/rate-limits-for-the-rest-api` }, headers);
}
