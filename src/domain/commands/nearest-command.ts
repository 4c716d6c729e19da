import type { Command, CommandKind } from './command.js';
import type { Problem } from './command-error.js';
import { formatCommand } from './format-command.js';
import { OPTIONS } from './option-table.js';
import { COMMAND_KINDS, COMMAND_WORDS, COMMANDS, SWITCHES } from './command-table.js';
import { type CommandText, interpretCommand } from './interpret-command.js';
import { didYouMean } from './did-you-mean.js';
import { splitOption } from './split-option.js';

/** The valid command most similar to one with a problem at word `at`; `null` when none is similar enough. */
export function nearestCommand(text: CommandText, problem: Problem, at: number): string | null {
  for (const words of corrections(text.words, problem, at)) {
    const understood = interpretCommand({ ...text, words, tail: words.slice(1).join(' ') });
    if ('command' in understood) return formatCommand(withoutText(understood.command));
  }
  return null;
}

type Words = readonly string[];

/** Possible corrections, the most likely first. */
function corrections(words: Words, problem: Problem, at: number): readonly Words[] {
  const word = words[at] ?? '';
  const [name, value] = splitOption(word);
  const suffix = value === null ? '' : `=${value}`;
  switch (problem.kind) {
    case 'unknown-word':
      return wordCorrections(words, at);
    case 'unknown-option': {
      const meant = didYouMean(name.replace(/^-+/, ''), OPTION_NAMES);
      return [...(meant === null ? [] : [words.with(at, `--${meant}${suffix}`)]), ...dropped(words, at)];
    }
    case 'option-not-here':
      return [...dropped(words, at, 1), ...dropped(words, at, 2)];
    case 'extra-value':
      return [words.with(at, name)];
    case 'given-twice':
      return [...dropped(words, at, 1), ...dropped(words, at, 2)];
    case 'missing-value':
      return at < words.length ? [words.with(at, `${name}=${exampleOf(problem.option)}`)] : [[...words, '12', '13']];
    case 'bad-value':
      return valueCorrections(words, problem, at);
    case 'one-issue-only':
      // Without an issue before it, the correction would act on the issue of the comment, which nobody named.
      return at > 1 ? [words.slice(0, at)] : [];
    case 'too-many-issues':
      return [[...words, '--yes']];
    case 'conflict':
    case 'other-repository':
    case 'several-commands':
    case 'reordered-text':
      return [];
  }
}

const OPTION_NAMES = [...OPTIONS.map(({ name }) => name), ...Object.keys(SWITCHES)].map((name) => name.slice(2));

/** Every name of every command. */
const NAMES: ReadonlyMap<string, CommandKind> = new Map([
  ...COMMAND_KINDS.flatMap((kind) => COMMANDS[kind].aliases.map((name) => [name, kind] as const)),
  ...COMMAND_WORDS.map((word) => [word, word] as const),
]);

/** The word may be a command's name, an option without dashes, or one word too many. */
function wordCorrections(words: Words, at: number): readonly Words[] {
  const others = words.toSpliced(at, 1);
  const meant = didYouMean(words[at] ?? '', [...NAMES.keys(), ...OPTION_NAMES]);
  const kind = NAMES.get(meant ?? '');
  if (meant === null) return dropped(words, at);
  if (kind === undefined) return [words.with(at, `--${meant}`), ...dropped(words, at)];
  return [[...beginning(kind), ...others], [...beginning(kind)], ...dropped(words, at)];
}

/** The first word of a command, after `/auto`. */
function beginning(kind: CommandKind): Words {
  if (kind === 'auto') return [];
  return kind === 'resume' || kind === 'batch' ? [`--${kind}`] : [kind];
}

function valueCorrections(
  words: Words,
  problem: Extract<Problem, { kind: 'bad-value' }>,
  at: number,
): readonly Words[] {
  const option = OPTIONS.find(({ name }) => name === problem.option);
  if (option === undefined) return dropped(words, at);
  const meant = didYouMean(problem.value, option.choices);
  if (meant === null) return [];
  const width = splitOption(words[at] ?? '')[1] === null ? 2 : 1;
  return [words.toSpliced(at, width, `${option.name}=${meant}`)];
}

/** The command without these words, unless nothing is left. */
function dropped(words: Words, at: number, count = 1): readonly Words[] {
  const rest = words.toSpliced(at, count);
  return rest.length === 0 ? [] : [rest];
}

const exampleOf = (name: string): string => OPTIONS.find((option) => option.name === name)?.example ?? '5';

/** The text for the model is not repeated in the correction. */
const withoutText = (command: Command): Command => (command.kind === 'continue' ? { ...command, text: '' } : command);
