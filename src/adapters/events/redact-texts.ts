/** Longer texts are cut: an event is a short notice. */
const LONGEST = 2_000;

/** A copy whose texts went through `redact`, cut where they are too long. Names of fields stay. */
export function redactTexts<T>(value: T, redact: (text: string) => string): T;
export function redactTexts(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return clip(redact(value));
  if (Array.isArray(value)) return value.map((item) => redactTexts(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactTexts(item, redact)]));
}

function clip(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
