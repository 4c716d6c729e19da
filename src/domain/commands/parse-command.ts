import type { Command } from './command.js';
import type { CommandError } from './command-error.js';
import { findCommandLines } from './visible-lines.js';
import { nearestCommand } from './nearest-command.js';
import { type CommandText, interpretCommand } from './interpret-command.js';
import type { RepoRef } from '../issue/ids.js';

/** What a comment asks for. */
export type ParsedComment =
  | { readonly kind: 'none' }
  | { readonly kind: 'command'; readonly command: Command; readonly line: string }
  /** It is meant for Sluice, but not valid. Nothing is done and the author gets an answer. */
  | { readonly kind: 'error'; readonly error: CommandError; readonly line: string };

/** Characters that change the order in which a line is shown. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * The command of a comment. With two commands none is carried out, because doing only half of the request is worse than
 * asking. `currentRepo` is the repository of the comment, for issues named as `owner/repo#12`.
 */
export function parseCommand(body: string, currentRepo: RepoRef | null = null): ParsedComment {
  const { commands, following } = findCommandLines(body);
  const [line] = commands;
  if (line === undefined) return { kind: 'none' };
  if (commands.length > 1)
    return { kind: 'error', error: { kind: 'several-commands', count: commands.length, nearest: null }, line };
  if (REORDERING.test(line)) return { kind: 'error', error: { kind: 'reordered-text', nearest: null }, line };
  const text = cut(line, following, currentRepo);
  const understood = interpretCommand(text);
  if ('command' in understood) return { kind: 'command', command: understood.command, line };
  const { problem, at } = understood;
  return { kind: 'error', error: { ...problem, nearest: nearestCommand(text, problem, at) }, line };
}

/** Splits a line into words. Invisible characters are dropped. Phones turn two dashes into a long one, so it counts as two. */
function cut(line: string, following: readonly string[], currentRepo: RepoRef | null): CommandText {
  const said = line
    .slice('/auto'.length)
    .replaceAll(/\p{Cf}/gu, '')
    .trim();
  const words = said.split(/\s+/).filter((word) => word !== '');
  return {
    words: words.map((word) => word.replace(/^-?[\u2012-\u2015\u2212]+-*(?=[A-Za-z])/, '--')),
    tail: said.slice(words[0]?.length ?? 0).trim(),
    following: following.join('\n'),
    currentRepo,
  };
}
