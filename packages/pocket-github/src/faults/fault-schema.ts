import { z } from 'zod';

const when = z.enum(['before', 'after']);
const count = z.number().int().positive();

const occurrence = z.union([
  z.strictObject({ nth: count }),
  z.strictObject({ times: count }),
  z.strictObject({ always: z.literal(true) }),
  z.strictObject({ chance: z.number().min(0).max(1) }),
]);

const graphqlPath = z.array(z.union([z.string().min(1), z.number().int().nonnegative()])).min(1);

const requestEffect = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.number().int().min(400).max(599),
    when,
    message: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({ kind: z.literal('reset'), when }),
  z.strictObject({ kind: z.literal('timeout'), when }),
  z.strictObject({ kind: z.literal('primary-limit') }),
  z.strictObject({
    kind: z.literal('secondary-limit'),
    status: z.union([z.literal(403), z.literal(429)]),
    retryAfterSeconds: z.number().int().nonnegative().nullable(),
  }),
  z.strictObject({ kind: z.literal('latency'), ms: count }),
  z.strictObject({ kind: z.literal('stale'), lagMs: count.max(10 * 60_000) }),
  z.strictObject({ kind: z.literal('unauthorized') }),
  z.strictObject({ kind: z.literal('base-modified') }),
  z.strictObject({
    kind: z.literal('graphql-error'),
    type: z.string().min(1).nullable(),
    message: z.string(),
    path: graphqlPath.optional(),
  }),
  z.strictObject({ kind: z.literal('graphql-null'), path: graphqlPath }),
]);

const deliveryEffect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('drop') }),
  z.strictObject({ kind: z.literal('duplicate'), copies: count.max(100) }),
  z.strictObject({ kind: z.literal('delay'), ms: count }),
  z.strictObject({ kind: z.literal('reorder') }),
  z.strictObject({ kind: z.literal('mis-sign') }),
]);

const lines = z.array(z.string());

const refEffect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('refuse-ref'), reason: z.string().min(1), lines: lines.optional() }),
  z.strictObject({ kind: z.literal('pre-receive'), lines }),
  z.strictObject({ kind: z.literal('rule-violations'), violations: lines.min(1) }),
  z.strictObject({ kind: z.literal('push-protection'), secret: z.string().min(1), path: z.string().min(1) }),
]);

const text = z.string().min(1).optional();

/** A fault as it comes over the control API or in a seed. */
export const faultSchema = z.discriminatedUnion('on', [
  z.strictObject({
    on: z.literal('request'),
    match: z.strictObject({
      surface: z.enum(['rest', 'graphql', 'git']).optional(),
      method: text,
      operation: text,
      field: text,
      actor: text,
      path: text,
      nodesOver: z.number().int().nonnegative().optional(),
    }),
    occurrence,
    effect: requestEffect,
  }),
  z.strictObject({
    on: z.literal('delivery'),
    match: z.strictObject({ event: text, action: text }),
    occurrence,
    effect: deliveryEffect,
  }),
  z.strictObject({
    on: z.literal('ref'),
    match: z.strictObject({ repository: text, ref: text, actor: text }),
    occurrence,
    effect: refEffect,
  }),
  z.strictObject({
    on: z.literal('push'),
    match: z.strictObject({ repository: text, actor: text }),
    occurrence,
    effect: z.strictObject({ kind: z.literal('young-token'), youngerThanMs: count }),
  }),
]);
