import type { IncomingHttpHeaders } from 'node:http';

/** Headers that are forwarded: what the CLI sends and the API reads, without any credential. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'accept',
  'anthropic-dangerous-direct-browser-access',
  'user-agent',
  'x-app',
  'x-claude-code-agent-id',
  'x-claude-code-session-id',
]);

/** What the CLI's HTTP library says about itself. */
const LIBRARY = /^x-stainless-[a-z-]{1,30}$/;

/** Fixed, so that the API reads the body the way it was checked. */
const FIXED = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };

const BETA_HEADER = 'anthropic-beta';

/** Allowed betas: those the pinned CLI asks for. Others can make the API act by itself or change the price. */
const BETAS: ReadonlySet<string> = new Set([
  'advanced-tool-use-2025-11-20',
  'claude-code-20250219',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'extended-cache-ttl-2025-04-11',
  'fallback-credit-2026-06-01',
  'interleaved-thinking-2025-05-14',
  'mid-conversation-tool-changes-2026-07-01',
  'oauth-2025-04-20',
  'per-turn-control-2026-07-01',
  'thinking-display-updates-2026-08-18',
  'thinking-token-count-2026-05-13',
]);

/** The headers to forward. */
export function passedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && (PASSED_ON.has(name) || LIBRARY.test(name)) ? [[name, value] as const] : [],
  );
  const betas = knownBetas(headers[BETA_HEADER]);
  return { ...Object.fromEntries(kept), ...FIXED, ...(betas === '' ? {} : { [BETA_HEADER]: betas }) };
}

/** Unknown betas are dropped, not refused: the CLI works without them. */
function knownBetas(value: string | string[] | undefined): string {
  return String(value ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => BETAS.has(name))
    .join(',');
}
