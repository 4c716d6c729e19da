import { SECRET_PATTERNS } from './secret-patterns.js';

/** Removes secrets from a text. A second pass changes nothing. */
export type Redact = (text: string) => string;

const REDACTED = '‹redacted›';

/** A part of this length counts as a secret, because a model may be told to leave out the beginning. */
const PART = 12;
/** Shorter secrets are ignored, because they occur in ordinary words. */
const SHORTEST = 8;

/** Everything that looks like a credential. */
export function redactPatterns(text: string): string {
  return SECRET_PATTERNS.reduce((rest, pattern) => rest.replaceAll(pattern, replacement), text);
}

const replacement = (_: string, kept: unknown): string => `${typeof kept === 'string' ? kept : ''}${REDACTED}`;

/** Finds these secrets, or parts of them, even when they are encoded. */
export function createRedactor(secrets: readonly string[]): Redact {
  const parts = new Set<string>();
  const lengths = new Set<number>();
  for (const secret of new Set(secrets.map((one) => one.trim()))) {
    if (secret.length < SHORTEST) continue;
    for (const form of formsOf(secret)) {
      const length = Math.min(PART, form.length);
      lengths.add(length);
      for (let at = 0; at + length <= form.length; at += 1) parts.add(form.slice(at, at + length));
    }
  }
  const windows = [...lengths].sort((a, b) => b - a);
  return (text) => redactPatterns(windows.length === 0 ? text : withoutParts(text, parts, windows));
}

/** The same for every text in a plain data value. */
export function redactDeep<T>(value: T, redact: Redact): T {
  return mapTexts(value, redact) as T;
}

function mapTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, redact));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, redact)]));
}

function withoutParts(text: string, parts: ReadonlySet<string>, windows: readonly number[]): string {
  const written: string[] = [];
  let end = -1;
  for (let at = 0; at < text.length; at += 1) {
    const length = windows.find((window) => parts.has(text.slice(at, at + window)));
    if (length === undefined) continue;
    if (at > end) written.push(text.slice(Math.max(end, 0), at), REDACTED);
    end = Math.max(end, at + length);
  }
  return `${written.join('')}${text.slice(Math.max(end, 0))}`;
}

/** A secret as it is, and in base64 (at any offset), hex, URL encoding and JSON. */
function formsOf(secret: string): readonly string[] {
  const bytes = [...new TextEncoder().encode(secret)];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = [0, 1, 2].map((shift) => alignedBase64(bytes, shift));
  const address = encodeURIComponent(secret);
  return [
    secret,
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    address,
    address.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** The base64 characters that depend only on the secret when `shift` bytes come before it. */
function alignedBase64(bytes: readonly number[], shift: number): string {
  const whole = btoa(String.fromCharCode(...Array<number>(shift).fill(0), ...bytes)).replaceAll('=', '');
  const complete = Math.floor(((bytes.length + shift) * 8) / 6);
  return whole.slice(shift === 0 ? 0 : shift + 1, complete);
}
