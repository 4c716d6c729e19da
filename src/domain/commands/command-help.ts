import { OPTIONS } from './option-table.js';
import { COMMAND_KINDS, COMMANDS, SWITCHES } from './command-table.js';

/* The command table as text: the answer to `/auto help`, and the generated part of docs/commands.md. */

/** What `/auto help` answers, as GitHub Markdown. */
export function renderHelp(): string {
  return [
    '### What you can ask of Sluice',
    '',
    'Write a command at the start of a line, one in a comment. Without a number it is about the issue it stands on.',
    '',
    commandTable(),
    '',
    '<details><summary>Options</summary>',
    '',
    optionTable(),
    '',
    '</details>',
    '',
    '<details><summary>Examples</summary>',
    '',
    exampleTable(),
    '',
    '</details>',
  ].join('\n');
}

/** Every command, what it does and who may use it. */
export function commandTable(): string {
  return table(
    ['command', 'what it does', 'permission'],
    COMMAND_KINDS.map((kind) => {
      const { usage, summary, permission } = COMMANDS[kind];
      return [code(usage), summary, permission];
    }),
  );
}

/** Every option of a run, and the switches that choose the command. */
export function optionTable(): string {
  const options = OPTIONS.map(({ name, placeholder, summary }) => [
    code(placeholder === null ? name : `${name}=${placeholder}`),
    summary,
  ]);
  const switches = Object.entries(SWITCHES).map(([name, summary]) => [code(name), summary]);
  return table(['option', 'what it does'], [...options, ...switches]);
}

/** Every example, and what it means. */
export function exampleTable(): string {
  const examples = COMMAND_KINDS.flatMap((kind) => COMMANDS[kind].examples);
  return table(
    ['write', 'to'],
    examples.map(([line, meaning]) => [code(line), meaning]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** In a Markdown table a plain `|` ends the cell, even inside code. */
const escapeCell = (text: string): string => text.replaceAll('|', String.raw`\|`);

const code = (text: string): string => `\`${text}\``;
