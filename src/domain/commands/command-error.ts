import { MAX_ISSUES, MAX_UNCONFIRMED } from './command.js';

/** What is wrong with a command. */
export type Problem =
  | { readonly kind: 'unknown-word'; readonly word: string }
  | { readonly kind: 'unknown-option'; readonly option: string }
  /** The option exists, but this command does not take it. */
  | { readonly kind: 'option-not-here'; readonly option: string; readonly command: string }
  | { readonly kind: 'missing-value'; readonly option: string; readonly expects: string }
  | { readonly kind: 'bad-value'; readonly option: string; readonly value: string; readonly expects: string }
  /** A value for an option that takes none. */
  | { readonly kind: 'extra-value'; readonly option: string }
  | { readonly kind: 'given-twice'; readonly option: string }
  | { readonly kind: 'conflict'; readonly options: readonly [string, string]; readonly why: string }
  /** More issues than the command takes. */
  | { readonly kind: 'one-issue-only'; readonly command: string }
  | { readonly kind: 'too-many-issues'; readonly count: number }
  | { readonly kind: 'other-repository'; readonly issue: string }
  | { readonly kind: 'several-commands'; readonly count: number }
  /** Characters that make a line look different from its real content. */
  | { readonly kind: 'reordered-text' };

/** Why a command is refused, and the valid command that is most similar to it. */
export type CommandError = Problem & { readonly nearest: string | null };

/** The answer to the person: what was not understood, why, and what to write instead. One paragraph of Markdown. */
export function formatCommandError(error: CommandError): string {
  const sentences = [whatIsWrong(error), instead(error), `${code('/auto help')} lists all commands.`];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function instead({ kind, nearest }: CommandError): string {
  if (nearest === null) return '';
  // A missing value cannot be guessed, so an example is shown.
  const isGuess = kind !== 'missing-value' && kind !== 'too-many-issues';
  return isGuess ? `Did you mean ${code(nearest)}?` : `For example: ${code(nearest)}.`;
}

function whatIsWrong(problem: Problem): string {
  switch (problem.kind) {
    case 'unknown-word':
      return `${code(problem.word)} was not understood: it is neither a command nor an issue number.`;
    case 'unknown-option':
      return `There is no option ${code(problem.option)}.`;
    case 'option-not-here':
      return `${code(problem.option)} was not understood: ${code(problem.command)} does not take it.`;
    case 'missing-value':
      return `${code(problem.option)} needs ${problem.expects}.`;
    case 'bad-value':
      return `${code(problem.value)} was not understood: ${code(problem.option)} needs ${problem.expects}.`;
    case 'extra-value':
      return `${code(problem.option)} takes no value.`;
    case 'given-twice':
      return `${code(problem.option)} was given twice, and only one of them can be meant.`;
    case 'conflict':
      return `${problem.options.map(code).join(' and ')} do not go together: ${problem.why}.`;
    case 'one-issue-only':
      return `${code(problem.command)} takes one issue at a time.`;
    case 'too-many-issues':
      return problem.count > MAX_ISSUES
        ? `That is ${problem.count} issues, and one command may ask for ${MAX_ISSUES} at most.`
        : `That is ${problem.count} issues. More than ${MAX_UNCONFIRMED} have to be confirmed with ${code('--yes')}.`;
    case 'other-repository':
      return `${code(problem.issue)} is in another repository. Write the command on an issue there.`;
    case 'several-commands':
      return `The comment has ${problem.count} commands, and none was carried out: write each in a comment of its own.`;
    case 'reordered-text':
      return 'The line has invisible characters that make it look different from what it says. Type it anew.';
  }
}

const MAX_SHOWN = 80;

/** Shows what somebody wrote as code, so that it causes no markup, mention or line break. */
function code(text: string): string {
  const plain = text.replaceAll(/\s+/gu, ' ').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}`]/gu, '');
  const shown = plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN).replace(/\p{Cs}$/u, '')}…` : plain;
  return `\`${shown.trim() === '' ? '?' : shown}\``;
}
