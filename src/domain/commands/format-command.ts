import { type Command, MAX_UNCONFIRMED } from './command.js';
import { formatOptions } from './option-table.js';
import { parseIssues } from './issue-arguments.js';

/** The command as a person would write it. The parser reads it back to the same command. */
export function formatCommand(command: Command): string {
  return ['/auto', ...wordsOf(command)].join(' ');
}

function wordsOf(command: Command): readonly string[] {
  switch (command.kind) {
    case 'auto':
      return [...many(command.numbers), ...formatOptions(command.options)];
    case 'resume':
      return ['--resume', ...one(command.number), ...formatOptions(command.options)];
    case 'batch':
      return ['--batch', ...batchWords(command), ...formatOptions(command.options)];
    case 'stop':
    case 'pause':
    case 'status':
    case 'explain':
      return [command.kind, ...one(command.number)];
    case 'continue':
      return ['continue', ...continueWords(command)];
    case 'retry':
      return ['retry', ...(command.phase === null ? [] : [command.phase]), ...one(command.number)];
    case 'approve':
      // Without `#` a number could be read as a hash.
      return [
        'approve',
        ...(command.hash === null ? [] : [command.hash]),
        ...one(command.number).map((number) => `#${number}`),
      ];
    case 'help':
      return ['help'];
  }
}

const one = (number: number | null): readonly string[] => (number === null ? [] : [String(number)]);

const many = (numbers: readonly number[]): readonly string[] => [...numbers.map(String), ...confirmed(numbers.length)];

const confirmed = (count: number): readonly string[] => (count > MAX_UNCONFIRMED ? ['--yes'] : []);

function batchWords({ of }: Extract<Command, { kind: 'batch' }>): readonly string[] {
  switch (of.kind) {
    case 'count':
      return [String(of.count), ...confirmed(of.count)];
    case 'list':
      // A single number without `#` would be read as a count.
      return of.numbers.length === 1 ? [`#${of.numbers[0]}`] : many(of.numbers);
    case 'resume':
      return ['--resume'];
  }
}

/** The text starts on the next line if its first line could be read as an issue number. */
function continueWords({ number, text }: Extract<Command, { kind: 'continue' }>): readonly string[] {
  if (text === '') return one(number);
  const [first = ''] = text.split('\n');
  const isAmbiguous = number !== null || parseIssues(first.trim(), null) !== null;
  return [...one(number), isAmbiguous ? `\n${text}` : text];
}
