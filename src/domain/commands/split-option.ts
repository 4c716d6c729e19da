import { type Switch, SWITCHES } from './command-table.js';

export const isOption = (word: string): boolean => word.startsWith('-');

export const isSwitch = (name: string): name is Switch => Object.hasOwn(SWITCHES, name);

/** `--name=value`: the name in lower case, the value unchanged; `null` when there is no `=`. */
export function splitOption(word: string): readonly [name: string, value: string | null] {
  const equals = word.indexOf('=');
  if (!isOption(word) || equals === -1) return [word.toLowerCase(), null];
  return [word.slice(0, equals).toLowerCase(), word.slice(equals + 1)];
}
