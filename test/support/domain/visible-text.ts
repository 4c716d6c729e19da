import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import sanitizeHtml from 'sanitize-html';

/** GitHub-flavoured Markdown as unsanitised HTML. */
export const rawHtml = (markdown: string): string =>
  micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });

/** What a reader of the page sees of a text: no tags, no attributes, no comments. */
export function visibleText(markdown: string): string {
  return sanitizeHtml(rawHtml(markdown), { allowedTags: [], allowedAttributes: {} });
}
