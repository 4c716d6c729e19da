import { textsOf } from '../protocol/conversation.js';
import type { ModelRequest } from '../protocol/model-request.js';

/** The captured texts, or the name of the first capture that found nothing. */
export type Captured = { readonly values: ReadonlyMap<string, string> } | { readonly missing: string };

export function captureFrom(request: ModelRequest, captures: Readonly<Record<string, string>>): Captured {
  const texts = request.messages.filter((message) => message.role === 'user').flatMap((message) => textsOf(message));
  const places = [...texts.toReversed(), request.system];
  const values = new Map<string, string>();
  for (const [name, pattern] of Object.entries(captures)) {
    const found = places.map((place) => new RegExp(pattern, 'm').exec(place)).find((match) => match !== null);
    if (found === undefined || found === null) return { missing: name };
    values.set(name, found[1] ?? found[0]);
  }
  return { values };
}

/** The same data with each known `{{name}}` replaced in every text; unknown names stay as they are. */
export function fill<T>(value: T, values: ReadonlyMap<string, string>): T {
  return fillAny(value, values) as T;
}

function fillAny(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.replace(/\{\{(\w+)\}\}/g, (whole, name) => values.get(name) ?? whole);
  if (Array.isArray(value)) return value.map((item) => fillAny(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillAny(item, values)]));
}
