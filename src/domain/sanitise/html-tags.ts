/** Tags that GitHub renders. It removes all others silently. */
const SHOWN = new Set(
  (
    'a abbr b bdo blockquote br caption center cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i ' +
    'ins kbd li mark ol p pre q rp rt ruby s samp small span strike strong sub summary sup table tbody td tfoot th thead time tr tt ul var wbr'
  ).split(' '),
);

/** Tags for images, video and audio. */
const PICTURES = new Set(['img', 'picture', 'source', 'svg', 'image', 'video', 'audio', 'object', 'embed', 'iframe']);

/** Tags that mean something to the CLI, or that look like a fence of ours. */
export const CONTROL_NAME =
  /^(?:system-reminder|command-\w+|local-command-\w+|task-notification|user-prompt-submit-hook|new-diagnostics|data-\w+)$/i;

const HREF = /\shref\s*=\s*["']?(https?:\/\/[^\s"'<>`]+)/i;

/** A tag reduced to what a reader sees: no attribute except a link's address. `attached`: a word comes directly before it. */
export function shownTag(tag: string, attached: boolean): string {
  const [, slash = '', written = ''] = /^<(\/?)([A-Za-z][\w-]*)/.exec(tag) ?? [];
  const name = written.toLowerCase();
  if (PICTURES.has(name)) return slash === '' ? '[image]' : '';
  const href = name === 'a' && slash === '' ? HREF.exec(tag)?.[1] : undefined;
  if (href !== undefined) return `<a href="${href}">`;
  if (SHOWN.has(name)) return `<${slash}${written}>`;
  if (CONTROL_NAME.test(name)) return `‹${slash}${written}>`;
  // Keep `Promise<void>` readable. Other unknown tags could hide a sentence, so their content is dropped.
  return attached && /^[a-z]{1,24}$/.test(name) ? `‹${slash}${written}›` : '‹…›';
}
