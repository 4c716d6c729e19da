import { type BatchSource, type Command, MAX_ISSUES, MAX_UNCONFIRMED } from './command.js';
import type { Problem } from './command-error.js';
import { type OptionSpec, OPTIONS } from './option-table.js';
import type { Switch } from './command-table.js';
import type { RepoRef } from '../issue/ids.js';
import { parseIssues, type NamedIssue } from './issue-arguments.js';
import { isOption, isSwitch, splitOption } from './split-option.js';
import { NO_OPTIONS, type RunOptions } from '../issue/options.js';

/** The command, or what is wrong and with which word. */
export type Interpretation =
  | { readonly command: Command }
  | {
      readonly problem: Problem /** Its index among the words; past the last one when something is missing. */;
      readonly at: number;
    };

/** The parts read so far of a command that drives issues. */
interface PartialCommand {
  readonly issues: NamedIssue[];
  readonly switches: Set<Switch>;
  readonly given: Set<string>;
  options: RunOptions;
}

/** `/auto`, `/auto --resume` and `/auto --batch`. */
export function interpretRunCommand(words: readonly string[], currentRepo: RepoRef | null): Interpretation {
  const read: PartialCommand = { issues: [], switches: new Set(), given: new Set(), options: NO_OPTIONS };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [name, value] = splitOption(word);
    const option = OPTIONS.find((one) => one.name === name);
    let problem: Problem | null;
    if (option !== undefined) {
      const next = words[at + 1];
      const isNext = option.placeholder !== null && value === null && next !== undefined && !isOption(next);
      problem = readOption(read, option, isNext ? next : value);
      if (problem === null && isNext) at += 1;
    } else problem = isSwitch(name) ? readSwitch(read, name, value, currentRepo) : readIssues(read, word, currentRepo);
    if (problem !== null) return { problem, at };
  }
  const command = assembleCommand(read);
  return 'problem' in command ? { ...command, at: words.length } : { command };
}

function readOption(read: PartialCommand, option: OptionSpec, value: string | null): Problem | null {
  const { name, placeholder, expects } = option;
  if (read.given.has(name)) return { kind: 'given-twice', option: name };
  read.given.add(name);
  if (placeholder === null && value !== null) return { kind: 'extra-value', option: name };
  if (placeholder !== null && (value ?? '') === '') return { kind: 'missing-value', option: name, expects };
  const options = option.parse(value ?? '');
  if (options === null) return { kind: 'bad-value', option: name, value: value ?? '', expects };
  if (read.options.route !== undefined && options.route !== undefined)
    return { kind: 'conflict', options: ['--patch', '--pr'], why: 'the work lands in one way or the other' };
  read.options = { ...read.options, ...options };
  return null;
}

function readSwitch(
  read: PartialCommand,
  name: Switch,
  value: string | null,
  currentRepo: RepoRef | null,
): Problem | null {
  if (read.switches.has(name)) return { kind: 'given-twice', option: name };
  read.switches.add(name);
  if (value === null) return null;
  return name === '--yes' ? { kind: 'extra-value', option: name } : readIssues(read, value, currentRepo);
}

function readIssues(read: PartialCommand, word: string, currentRepo: RepoRef | null): Problem | null {
  if (isOption(word)) return { kind: 'unknown-option', option: splitOption(word)[0] };
  const issues = parseIssues(word, currentRepo) ?? { kind: 'unknown-word', word };
  if ('kind' in issues) return issues;
  read.issues.push(...issues);
  return null;
}

/** Builds the command from all its parts. */
function assembleCommand({ issues, switches, options }: PartialCommand): Command | { readonly problem: Problem } {
  const numbers = [...new Set(issues.map(({ number }) => number))];
  if (options.route === 'patch' && options.stopAt === 'review') {
    const why = 'a patch goes to the base branch without a review';
    return { problem: { kind: 'conflict', options: ['--patch', '--stop-at review'], why } };
  }
  if (options.route === 'patch' && options.review !== undefined) {
    const why = 'a patch goes to the base branch without a review';
    return { problem: { kind: 'conflict', options: ['--patch', '--review'], why } };
  }
  if (switches.has('--batch')) return assembleBatch({ issues, numbers, switches, options });
  if (switches.has('--resume')) {
    if (numbers.length > 1) return { problem: { kind: 'one-issue-only', command: '/auto --resume' } };
    return { kind: 'resume', number: numbers[0] ?? null, options };
  }
  return issueCountProblem(numbers.length, switches) ?? { kind: 'auto', numbers, options };
}

type BatchParts = Omit<PartialCommand, 'given'> & { readonly numbers: readonly number[] };

function assembleBatch({ issues, numbers, switches, options }: BatchParts): Command | { readonly problem: Problem } {
  const batch = (of: BatchSource): Command => ({ kind: 'batch', of, options });
  const [first] = issues;
  if (switches.has('--resume')) {
    const why = 'a batch that goes on knows its issues';
    const pair = ['--batch --resume', String(numbers[0])] as const;
    return first === undefined ? batch({ kind: 'resume' }) : { problem: { kind: 'conflict', options: pair, why } };
  }
  if (first === undefined) {
    const expects = 'the numbers of the issues';
    return { problem: { kind: 'missing-value', option: '--batch', expects } };
  }
  if (issues.length === 1 && first.bare)
    return issueCountProblem(first.number, switches) ?? batch({ kind: 'count', count: first.number });
  return issueCountProblem(numbers.length, switches) ?? batch({ kind: 'list', numbers });
}

function issueCountProblem(count: number, switches: ReadonlySet<Switch>): { readonly problem: Problem } | null {
  if (count <= (switches.has('--yes') ? MAX_ISSUES : MAX_UNCONFIRMED)) return null;
  return { problem: { kind: 'too-many-issues', count } };
}
