import type { Instant } from '../../issue/instant.js';

/* Numbers and times as text for people. */

/** `3 s`, `4 min`, `1 h 5 min`, `6 h`. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

/** `2026-01-05 12:30 UTC`: an absolute time, so that the text does not change while somebody waits. */
export function formatMoment(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1 criterion`, `3 criteria`. */
export const formatCount = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** Ends a text with a full stop, unless it already ends a sentence. */
export const endSentence = (text: string): string => (/[.!?…]$/.test(text.trimEnd()) ? text.trimEnd() : `${text}.`);

/** At most five, and how many more there are. */
export function listFirst(items: readonly string[], most = 5): readonly string[] {
  const shown = items.slice(0, most).map((item) => `- ${item}`);
  return items.length <= most ? shown : [...shown, `- … and ${items.length - most} more`];
}

/** A section that is folded until a reader opens it. */
export function foldSection(summary: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', '<details>', `<summary>${summary}</summary>`, '', ...lines, '', '</details>'];
}
