const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;
const COMMENT = /<!--[\s\S]*?(?:-->|(?![\s\S]))/g;
const CODE = /(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g;

/** What a markdown text says aloud: without code and HTML comments, in which GitHub sees no references. */
export function spokenText(markdown: string): string {
  return markdown.replaceAll('\r\n', '\n').replace(FENCED, '\n').replace(COMMENT, ' ').replace(CODE, ' ');
}
