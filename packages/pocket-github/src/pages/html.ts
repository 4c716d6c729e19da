/** Markup that is safe to send. Only `html` and `trusted` make it, so forgetting to escape does not compile. */
export interface Html {
  readonly markup: string;
}

type Part = Html | string | number | null | false | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** A template whose values are escaped unless they are markup already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const markup = strings.reduce(
    (text, string, index) => text + (index === 0 ? '' : show(parts[index - 1] ?? null)) + string,
    '',
  );
  return { markup };
}

/** Markup from somewhere that has made it safe itself (the markdown sanitiser). */
export const trusted = (markup: string): Html => ({ markup });

function show(part: Part): string {
  if (part === null || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  if ('markup' in part) return part.markup;
  return part.map((one) => one.markup).join('');
}
