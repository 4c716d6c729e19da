import { type Command, RETRY_PHASES, type RetryPhase } from './command.js';
import type { Problem } from './command-error.js';
import { OPTIONS } from './option-table.js';
import { COMMAND_WORDS, type CommandWord } from './command-table.js';
import type { RepoRef } from '../issue/ids.js';
import { parseIssues } from './issue-arguments.js';
import { isOption, isSwitch, splitOption } from './split-option.js';
import { type Interpretation, interpretRunCommand } from './interpret-run-command.js';

/** A command split into words, without `/auto`. */
export interface CommandText {
  readonly words: readonly string[];
  /** The rest of the first line after its first word. */
  readonly tail: string;
  /** The lines that follow, for the one command that takes a text. */
  readonly following: string;
  /** The repository it was written in; `null` when that is not known. */
  readonly currentRepo: RepoRef | null;
}

/** What the words of a command mean. */
export function interpretCommand(text: CommandText): Interpretation {
  const first = text.words[0]?.toLowerCase() ?? '';
  if (first === '--help' || first === '-h') return { command: { kind: 'help' } };
  const word = COMMAND_WORDS.find((one) => one === first);
  return word === undefined ? interpretRunCommand(text.words, text.currentRepo) : interpretWord(word, text);
}

/** Commands that begin with their name. */
function interpretWord(kind: CommandWord, text: CommandText): Interpretation {
  switch (kind) {
    case 'help':
      return { command: { kind } };
    case 'continue':
      return { command: continueCommand(text) };
    case 'retry':
    case 'approve':
    case 'stop':
    case 'pause':
    case 'status':
    case 'explain':
      return interpretArguments(kind, text);
  }
}

const HASH = /^[0-9a-f]{7,64}$/;

/** At most one issue, and the other arguments of the command. */
function interpretArguments(
  kind: Exclude<CommandWord, 'help' | 'continue'>,
  { words, currentRepo }: CommandText,
): Interpretation {
  let number: number | null = null;
  let phase: RetryPhase | null = null;
  let hash: string | null = null;
  for (const [at, word] of words.entries()) {
    const lower = word.toLowerCase();
    const named = RETRY_PHASES.find((one) => one === lower);
    if (at === 0) continue;
    if (isOption(word)) return { problem: misplacedOption(word, kind), at };
    if (kind === 'retry' && phase === null && named !== undefined) phase = named;
    else if (kind === 'approve' && hash === null && HASH.test(lower)) hash = lower;
    else {
      const issues = parseIssues(word, currentRepo) ?? wordProblem(kind, word);
      if ('kind' in issues) return { problem: issues, at };
      if (number !== null || issues.length > 1)
        return { problem: { kind: 'one-issue-only', command: `/auto ${kind}` }, at };
      number = issues[0]?.number ?? null;
    }
  }
  if (kind === 'retry') return { command: { kind, number, phase } };
  return { command: kind === 'approve' ? { kind, number, hash } : { kind, number } };
}

function wordProblem(kind: CommandWord, word: string): Problem {
  if (kind !== 'retry') return { kind: 'unknown-word', word };
  return { kind: 'bad-value', option: '/auto retry', value: word, expects: `one of ${RETRY_PHASES.join(', ')}` };
}

function misplacedOption(word: string, kind: CommandWord): Problem {
  const [name] = splitOption(word);
  const isKnown = isSwitch(name) || OPTIONS.some((option) => option.name === name);
  return isKnown
    ? { kind: 'option-not-here', option: name, command: `/auto ${kind}` }
    : { kind: 'unknown-option', option: name };
}

/** A number is an issue only when it is alone on the first line, because an answer may begin with a number. */
function continueCommand({ tail, following, currentRepo }: CommandText): Command {
  const issues = parseIssues(tail, currentRepo);
  const only = issues !== null && !('kind' in issues) && issues.length === 1 ? issues[0] : undefined;
  if (only !== undefined) return { kind: 'continue', number: only.number, text: following.trim() };
  return { kind: 'continue', number: null, text: `${tail}\n${following}`.trim() };
}
