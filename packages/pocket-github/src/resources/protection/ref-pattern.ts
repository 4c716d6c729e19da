/**
 * Whether a name matches a pattern of a protection rule or ruleset: fnmatch, where `*` stops at a slash and a leading
 * double star with a slash spans any number of folders.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  return new RegExp(`^${translate(pattern)}$`, 'u').test(name);
}

/** Rules that name one branch outright go before those with wildcards. */
export function isWildcard(pattern: string): boolean {
  return /[*?[\]\\]/.test(pattern);
}

const TOKEN = /\*\*\/|\*+|\?|\[(?:!|\^)?[^\]/]+\]|\\.|[\s\S]/gu;

function translate(pattern: string): string {
  return (pattern.match(TOKEN) ?? []).map(translateToken).join('');
}

function translateToken(token: string): string {
  if (token === '**/') return '(?:[^/]+/)*';
  if (token.startsWith('*')) return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 2 && token.startsWith('[')) {
    const inverted = /^\[[!^]/.test(token);
    return `[${inverted ? '^/' : ''}${token.slice(inverted ? 2 : 1, -1).replaceAll(/[\\[\]&~|^]/g, '\\$&')}]`;
  }
  const literal = token.length === 2 && token.startsWith('\\') ? token.slice(1) : token;
  return literal.replaceAll(/[$()*+./?[\\\]^{|}]/g, '\\$&');
}
