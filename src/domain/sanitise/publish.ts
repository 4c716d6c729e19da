import { cutAt, removeInvisibleExceptEmoji } from './invisible.js';
import { inertProse } from './outgoing-prose.js';
import { type Redact, redactPatterns } from './redact.js';
import { sealLine, splitSeal } from './seal.js';
import { type Segment, segmentsOf } from './segments.js';

/** GitHub's limit is 65,536; the rest is room for what it adds. */
export const MAX_PUBLISHED = 60_000;
const ROOM_FOR_NOTE = 500;

/** Our own first line: how a comment is found again. Nobody else's comment in HTML leaves. */
const MARKER = /^<!-- sluice:[\w:.=/# -]*? -->(?=\n|$)/;

/** Only what we write ourselves begins a block of HTML; all else is escaped. */
const RULES = { html: /^<\/?(?:details|summary)>/i, hides: false };

/** Languages of code blocks that GitHub draws instead of showing. */
const DRAWN = /^(\s*[`~]+)\s*(?:mermaid|geojson|topojson|stl|math)\b.*/i;

/**
 * All Markdown that goes to GitHub passes through here. Nobody is called, nothing is closed or started by it, no image is
 * loaded, no secret is in it, and it is short enough. Text that has been through it passes unchanged.
 */
export function publish(text: string, redact: Redact = redactPatterns): string {
  const whole = redact(removeInvisibleExceptEmoji(cutAt(text, 10 * MAX_PUBLISHED)));
  const marker = MARKER.exec(whole)?.[0] ?? '';
  // Only a comment of ours that is found again by its first line has a last one that nobody sees.
  const { text: shown, seal } = marker === '' ? { text: whole, seal: null } : splitSeal(whole);
  const last = sealLine(seal);
  const room = MAX_PUBLISHED - marker.length - last.length;
  return `${marker}${fitToRoom(inertMarkdown(shown.slice(marker.length), false), room)}${last}`;
}

/** Words of a model or a stranger inside a text of ours: also without markup, diagrams and links to other issues. */
export function quoteText(text: string): string {
  return inertMarkdown(removeInvisibleExceptEmoji(text), true);
}

/** The same for one cell of a table, where a bar would begin the next one, in code too. */
export function quoteCell(text: string, length = 300): string {
  return quoteLine(text, length).replaceAll(/(?<!\\)\|/g, '\\|');
}

/** The same for any place that has one line. */
export function quoteLine(text: string, length = 300): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const short = line.length <= length ? line : `${cutAt(line, length - 1)}…`;
  return quoteText(short);
}

/** Titles and commit messages. No Markdown is read there, but mentions and closing words are. */
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

/** Words that are not ours inside a commit message: other issues are named there, not linked. */
export function quotePlain(text: string): string {
  return text.replaceAll(PLAIN_REF, (_, repo: string | undefined, number: string) =>
    repo === undefined ? `issue ${number}` : `${repo} issue ${number}`,
  );
}

const PLAIN_REF = /(?<![\w.&/#-])(?:([\w.-]+\/[\w.-]+)#|#|gh-)(\d+)(?![a-z0-9])/gi;
const PLAIN_CLOSING =
  /(?<![a-z0-9])((?:close[sd]?|fix(?:es|ed)?|resolve[sd]?)[\s:]{1,9})([\w.-]+\/[\w.-]+)?(?:#|gh-)(\d+)/gi;
/** Words in a commit message that keep CI from running: then nothing would turn red, and silence would be taken for green. */
const SYSTEMS =
  'ci|cd|actions|checks|build|travis|circle|circleci|appveyor|azp|azurepipelines|azuredevops|netlify|vercel|buildkite|drone|jenkins';
const SKIPPING = new RegExp(`\\[\\s*((?:skip|no)[\\s_-]*(?:${SYSTEMS})|(?:${SYSTEMS})[\\s_-]*skip)\\s*\\]`, 'gi');
const SKIPPING_TRAILER = /(skip-checks)\s*:\s*(\w+)/gi;
const SKIPPING_STARS = /\*{3}\s*(NO_CI)\s*\*{3}/gi;
const PLAIN_MENTION = /(?<![\w`])@[a-z0-9][\w-]*(?:\/[\w.-]+)*/gi;

/** Making one thing harmless can change what another is; more often than this, somebody means it. */
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
