import { createRequire } from 'node:module';
import { membersOfMember, membersOfSchema, type Members } from './published-webhook-schema.js';
import type { ReceivedWebhook } from './webhook-receiver.js';

interface Definition {
  readonly name: string;
  readonly examples: readonly Record<string, unknown>[];
}

const DEFINITIONS = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Definition[];

/** How a delivered payload compares with what GitHub was seen to send for the same event and action. */
export interface ShapeComparison {
  /** How many recorded examples there are. None: nothing was compared. */
  readonly examples: number;
  /** Members every example has and the published schema requires, which the payload lacks. */
  readonly missing: readonly string[];
}

/** Compares top-level members and the members of each object among them, e.g. `issue.node_id`. */
export function compareWithExamples({ event, payload }: Pick<ReceivedWebhook, 'event' | 'payload'>): ShapeComparison {
  const all = DEFINITIONS.find((definition) => definition.name === event)?.examples ?? [];
  const examples = all.filter((example) => (example['action'] ?? null) === (payload.action ?? null));
  const schema = membersOfSchema(
    ['webhook', event, ...(payload.action === undefined ? [] : [payload.action])].join('-').replaceAll('_', '-'),
  );
  if (examples.length === 0) return { examples: 0, missing: [] };
  const missing = missingIn(examples, payload, schema);
  for (const [name, value] of Object.entries(payload)) {
    const seen = examples.map((example) => example[name]).filter(isObject);
    if (!isObject(value) || seen.length === 0) continue;
    missing.push(...missingIn(seen, value, membersOfMember(schema, name)).map((key) => `${name}.${key}`));
  }
  return { examples: examples.length, missing };
}

function missingIn(
  examples: readonly Record<string, unknown>[],
  payload: Record<string, unknown>,
  schema: Members,
): string[] {
  const common = Object.keys(examples[0] ?? {}).filter((key) => examples.every((example) => key in example));
  return common.filter((key) => schema.get(key)?.required === true && !(key in payload));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
