import { describe, expect, test } from '@jest/globals';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { CommandKind } from '../../../../src/domain/commands/command.js';
import { renderHelp } from '../../../../src/domain/commands/command-help.js';
import { OPTIONS } from '../../../../src/domain/commands/option-table.js';
import { parseCommand } from '../../../../src/domain/commands/parse-command.js';
import { COMMAND_KINDS, COMMANDS, SWITCHES } from '../../../../src/domain/commands/command-table.js';

describe('the command table', () => {
  test.each(COMMAND_KINDS.flatMap((kind) => COMMANDS[kind].examples.map(([line]) => [line, kind] as const)))(
    '%s is an example of %s',
    (line, kind) => {
      expect(parseCommand(line)).toMatchObject({ kind: 'command', command: { kind } });
    },
  );

  test.each(COMMAND_KINDS)('the usage of %s, without what may be left out, is that command', (kind) => {
    const shortest = COMMANDS[kind].usage.replaceAll(/ \[[^\]]*\]/g, '').replace('N1 N2 …', '12 15');
    expect(parseCommand(shortest)).toMatchObject({ kind: 'command', command: { kind } });
  });

  test.each(COMMAND_KINDS)('%s takes options exactly if the table says so', (kind) => {
    const [[line] = ['']] = COMMANDS[kind].examples;
    const parsed = parseCommand(`${line} --model=light`);
    // What is said after these two is not read as an option.
    const readsNone: readonly CommandKind[] = ['continue', 'help'];
    const takes = parsed.kind === 'command' && !readsNone.includes(kind);
    expect(takes).toBe(COMMANDS[kind].takesOptions);
  });

  test('who only looks may use the commands that change nothing', () => {
    expect(COMMAND_KINDS.filter((kind) => COMMANDS[kind].permission === 'triage')).toEqual([
      'status',
      'explain',
      'help',
    ]);
  });

  test.each(OPTIONS.map((option) => [option.name, option] as const))('%s shows what it reads', (_, option) => {
    const options = option.parse(option.example);
    expect(options).not.toBeNull();
    expect(option.format(options ?? {})).toBe(option.example);
    expect(option.format({})).toBeNull();
  });

  test('no name leads to two commands', () => {
    const names = COMMAND_KINDS.flatMap((kind) => [...COMMANDS[kind].aliases, ...(kind === 'auto' ? [] : [kind])]);
    const others = names.filter((name) => name !== 'resume' && name !== 'batch');
    expect(new Set(others).size).toBe(others.length);
  });
});

describe('the help', () => {
  const help = renderHelp();

  test('lists every command, option and example', () => {
    const cell = (text: string): string => text.replaceAll('|', '\\|');
    for (const kind of COMMAND_KINDS) {
      expect(help).toContain(cell(COMMANDS[kind].usage));
      for (const [line] of COMMANDS[kind].examples) expect(help).toContain(`\`${line}\``);
    }
    for (const { name } of OPTIONS) expect(help).toContain(name);
    for (const name of Object.keys(SWITCHES)) expect(help).toContain(`\`${name}\``);
  });

  test('is three tables on GitHub, each row with all its cells', () => {
    const html = micromark(help, {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true,
    });
    expect(html.match(/<table>/g)).toHaveLength(3);
    const rows = html.split('<tr>').slice(1);
    expect(rows.every((row) => /<t[hd]>[^]*<t[hd]>/.test(row) && !/<td><\/td>/.test(row))).toBe(true);
    expect(html).toContain('<code>--review=light|full</code>');
  });

  test('points to no issue: whoever reads it would find himself mentioned there', () => {
    expect(help.replaceAll(/`[^`]*`/g, '')).not.toMatch(/[#@]\w|GH-/);
  });

  test('says nothing to Sluice itself', () => {
    expect(parseCommand(help)).toEqual({ kind: 'none' });
  });
});
