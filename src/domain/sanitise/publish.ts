import { cutAt, removeInvisibleExceptEmoji } from './invisible.js';
import { inertProse } from './outgoing-prose.js';
import { type Redact, redactPatterns } from './redact.js';
import { sealLine, splitSeal } from './seal.js';
import { type Segment, segmentsOf } from './segments.js';

/** GitHub's limit is 65,536. The rest is room for what GitHub adds. */
export const MAX_PUBLISHED = 60_000;
const ROOM_FOR_NOTE = 500;

/** Our own first line, by which we find a comment again. All other HTML comments are removed. */
const MARKER = /^<!-- sluice:[\w:.=/# -]*? -->(?=\n|$)/;

/** The only HTML blocks are our own. All other HTML is escaped. */
const RULES = { html: /^<\/?(?:details|summary)>/i, hides: false };

/** Languages of code blocks that GitHub draws instead of showing. */
const DRAWN = /^(\s*[`~]+)\s*(?:mermaid|geojson|topojson|stl|math)\b.*/i;

/**
 * All Markdown for GitHub passes through here. It mentions nobody, closes and starts nothing, no image is
 * loaded, no secret is in it, and it is short enough. A second pass changes nothing.
 */
export function publish(text: string, redact: Redact = redactPatterns): string {
  const whole = redact(removeInvisibleExceptEmoji(cutAt(text, 10 * MAX_PUBLISHED)));
  const marker = MARKER.exec(whole)?.[0] ?? '';
  // Only our own comments, which have a marker, may end with an invisible seal.
  const { text: shown, seal } = marker === '' ? { text: whole, seal: null } : splitSeal(whole);
  const last = sealLine(seal);
  const room = MAX_PUBLISHED - marker.length - last.length;
  return `${marker}${fitToRoom(inertMarkdown(shown.slice(marker.length), false), room)}${last}`;
}

/** Words of a model or a stranger inside our text: also without markup, diagrams and links to other issues. */
export function quoteText(text: string): string {
  return inertMarkdown(removeInvisibleExceptEmoji(text), true);
}

/** The same for a table cell, where `|` would begin the next cell, even in code. */
export function quoteCell(text: string, length = 300): string {
  return quoteLine(text, length).replaceAll(/(?<!\\)\|/g, '\\|');
}

/** The same on a single line. */
export function quoteLine(text: string, length = 300): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const short = line.length <= length ? line : `${cutAt(line, length - 1)}…`;
  return quoteText(short);
}

/** For titles and commit messages. GitHub reads no Markdown there, but it does read mentions and closing words. */
export function publishPlain(text: string, redact: Redact = redactPatterns): string {
  const shown = redact(removeInvisibleExceptEmoji(cutAt(text, MAX_PUBLISHED)));
  return shown
    .replaceAll(PLAIN_CLOSING, (_, word: string, repo: string | undefined, number: string) =>
      repo === undefined ? `${word}issue ${number}` : `${word}${repo} issue ${number}`,
    )
    .replaceAll(PLAIN_MENTION, '`$&`')
    .replaceAll(SKIPPING, '($1)')
    .replaceAll(SKIPPING_TRAILER, '$1 = $2')
    .replaceAll(SKIPPING_STARS, '$1');
}

/** Words of others inside a commit message: other issues are named, not linked. */
export function quotePlain(text: string): string {
  return text.replaceAll(PLAIN_REF, (_, repo: string | undefined, number: string) =>
    repo === undefined ? `issue ${number}` : `${repo} issue ${number}`,
  );
}

const PLAIN_REF = /(?<![\w.&/#-])(?:([\w.-]+\/[\w.-]+)#|#|gh-)(\d+)(?![a-z0-9])/gi;
const PLAIN_CLOSING =
  /(?<![a-z0-9])((?:close[sd]?|fix(?:es|ed)?|resolve[sd]?)[\s:]{1,9})([\w.-]+\/[\w.-]+)?(?:#|gh-)(\d+)/gi;
/** Words in a commit message that keep CI from running. Then no check could fail, and that would look like success. */
const SYSTEMS =
  'ci|cd|actions|checks|build|travis|circle|circleci|appveyor|azp|azurepipelines|azuredevops|netlify|vercel|buildkite|drone|jenkins';
const SKIPPING = new RegExp(`\\[\\s*((?:skip|no)[\\s_-]*(?:${SYSTEMS})|(?:${SYSTEMS})[\\s_-]*skip)\\s*\\]`, 'gi');
const SKIPPING_TRAILER = /(skip-checks)\s*:\s*(\w+)/gi;
const SKIPPING_STARS = /\*{3}\s*(NO_CI)\s*\*{3}/gi;
const PLAIN_MENTION = /(?<![\w`])@[a-z0-9][\w-]*(?:\/[\w.-]+)*/gi;

/** Making one thing harmless can change another. More passes than this are needed only for an attack. */
const MAX_PASSES = 4;

function inertMarkdown(text: string, foreign: boolean): string {
  let now = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const segments = segmentsOf(now, foreign ? { ...RULES, html: null } : RULES);
    const next =
      segments === null
        ? inertProse(now, { code: false, foreign })
        : segments.map((segment) => inertSegment(segment, foreign)).join('\n');
    if (next === now) return now;
    now = next;
  }
  return inertProse(now.replaceAll(/[`~<]/g, "'"), { code: false, foreign });
}

function inertSegment(segment: Segment, foreign: boolean): string {
  if (segment.kind === 'prose') return inertProse(segment.text, { code: !segment.html, foreign });
  const { open, body, close } = segment;
  const end = close ?? /^\s*(`+|~+)/.exec(open)?.[0] ?? '```';
  return [foreign ? open.replace(DRAWN, '$1text') : open, ...body, end].join('\n');
}

function fitToRoom(text: string, room: number): string {
  if (text.length <= room) return text;
  const head = cutAt(text, room - ROOM_FOR_NOTE);
  const line = head.lastIndexOf('\n');
  const kept = inertMarkdown(line > head.length / 2 ? head.slice(0, line) : head, false);
  const open = kept.split('<details>').length - kept.split('</details>').length;
  const note = `… cut here: ${text.length - kept.length} more characters do not fit into a comment.`;
  return [
    cutAt(kept, room - ROOM_FOR_NOTE / 2),
    ...Array<string>(Math.min(5, Math.max(0, open))).fill('</details>'),
    note,
  ].join('\n\n');
}
