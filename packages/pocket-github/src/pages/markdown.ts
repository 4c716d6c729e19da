import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import sanitizeHtml from 'sanitize-html';
import { type Html, trusted } from './html.js';

/** What GitHub lets through in a comment, less images: these pages load nothing from anywhere. */
const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags:
    'h1 h2 h3 h4 h5 h6 p br hr blockquote ul ol li pre code kbd sub sup strong em b i del s ins a table thead tbody tr th td details summary input section'.split(
      ' ',
    ),
  allowedAttributes: {
    a: ['href', 'title', 'id'],
    code: ['class'],
    th: ['align'],
    td: ['align'],
    input: ['type', 'checked', 'disabled'],
    details: ['open'],
    li: ['id'],
    ol: ['start'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  // A box drawn by the renderer is disabled; anything else called input is somebody's form.
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'input' && (attribs['type'] !== 'checkbox' || attribs['disabled'] === undefined),
};

/** GitHub-flavoured markdown as GitHub would show it. */
export function renderMarkdown(source: string): Html {
  const markup = micromark(source, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  return trusted(sanitizeHtml(markup, ALLOWED));
}
