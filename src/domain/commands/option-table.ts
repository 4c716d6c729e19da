import { isBranchName } from '../issue/branch-name.js';
import { MODEL_TIERS, type RunOptions } from '../issue/options.js';
import { PHASES } from '../issue/phase.js';
import { REVIEW_DEPTHS } from '../issue/route.js';

/** One option of a run, as it is written in a command. */
export interface OptionSpec {
  readonly name: `--${string}`;
  /** How its value is written in a usage; `null` when it takes none. */
  readonly placeholder: string | null;
  readonly summary: string;
  /** What the value must be. The text continues "needs …". */
  readonly expects: string;
  /** All possible values, if the option has a fixed list. */
  readonly choices: readonly string[];
  /** A value for examples. */
  readonly example: string;
  /** The options the value stands for; `null` when it is not valid. */
  readonly parse: (value: string) => RunOptions | null;
  /** The value in these options as text; `null` when the option is not set. */
  readonly format: (options: RunOptions) => string | null;
}

type Text = Pick<OptionSpec, 'name' | 'summary'>;

/** An option without a value. */
const flag = (text: Text, options: RunOptions, isSet: (options: RunOptions) => boolean): OptionSpec => ({
  ...text,
  placeholder: null,
  expects: 'no value',
  choices: [],
  example: '',
  parse: () => options,
  format: (given) => (isSet(given) ? '' : null),
});

/** An option with a few possible values. */
function choice<Value extends string>(
  text: Text & { readonly placeholder?: string },
  values: readonly [Value, ...Value[]],
  make: (value: Value) => RunOptions,
  format: OptionSpec['format'],
): OptionSpec {
  return {
    placeholder: values.join('|'),
    ...text,
    expects: `one of ${values.join(', ')}`,
    choices: values,
    example: values[0],
    parse: (typed) => {
      const value = values.find((one) => one === typed.toLowerCase());
      return value === undefined ? null : make(value);
    },
    format,
  };
}

interface Range {
  readonly placeholder: string;
  readonly max: number;
  readonly expects: string;
  readonly example: string;
}

/** An option with a number greater than 0. */
const amount = (
  text: Text & Range,
  pattern: RegExp,
  make: (value: number) => RunOptions,
  get: (options: RunOptions) => number | undefined,
): OptionSpec => ({
  ...text,
  choices: [],
  parse: (typed) => {
    const value = Number(pattern.exec(typed)?.[1] ?? 0);
    return value > 0 && value <= text.max ? make(value) : null;
  },
  format: (options) => get(options)?.toString() ?? null,
});

const WHOLE = /^(\d{1,6})$/;

/** Every option of a run. Other arguments are in the command table. */
export const OPTIONS: readonly OptionSpec[] = [
  flag(
    { name: '--patch', summary: 'Land the work as one commit on the base branch, without a pull request.' },
    { route: 'patch' },
    ({ route }) => route === 'patch',
  ),
  flag(
    { name: '--pr', summary: 'Land the work through a pull request, whatever the size.' },
    { route: 'pr' },
    ({ route }) => route === 'pr',
  ),
  choice(
    { name: '--review', summary: 'How thorough the review of the pull request is.' },
    REVIEW_DEPTHS,
    (review) => ({ review }),
    ({ review }) => review ?? null,
  ),
  {
    name: '--base',
    placeholder: 'BRANCH',
    summary: 'The branch to start from and to land on, instead of the default branch.',
    expects: 'the name of a branch',
    choices: [],
    example: 'main',
    parse: (base) => (isBranchName(base) ? { base } : null),
    format: ({ base }) => base ?? null,
  },
  choice(
    {
      name: '--stop-at',
      placeholder: 'PHASE',
      summary: `The last phase to run (${PHASES.join(', ')}); then Sluice stops. Stopping before the merge always uses a pull request.`,
    },
    PHASES,
    (stopAt) => ({ stopAt }),
    ({ stopAt }) => stopAt ?? null,
  ),
  choice(
    { name: '--model', summary: 'Which tier of model works on it, in every phase.' },
    MODEL_TIERS,
    (model) => ({ model }),
    ({ model }) => model ?? null,
  ),
  amount(
    {
      name: '--budget',
      placeholder: 'USD',
      summary: 'What the whole run may cost, in US dollars.',
      max: 10_000,
      expects: 'an amount of US dollars up to 10000, such as 5 or 7.50',
      example: '5',
    },
    /^\$?(\d{1,5}(?:\.\d{1,2})?)$/,
    (budgetUsd) => ({ budgetUsd }),
    ({ budgetUsd }) => budgetUsd,
  ),
  amount(
    {
      name: '--timeout',
      placeholder: 'MIN',
      summary: 'How many minutes the models may work; waiting does not count.',
      max: 10_080,
      expects: 'a whole number of minutes up to 10080 (a week)',
      example: '90',
    },
    WHOLE,
    (timeoutMin) => ({ timeoutMin }),
    ({ timeoutMin }) => timeoutMin,
  ),
  amount(
    {
      name: '--max-iterations',
      placeholder: 'N',
      summary: 'How many times a model may be started, all phases together.',
      max: 200,
      expects: 'a whole number up to 200',
      example: '20',
    },
    WHOLE,
    (maxIterations) => ({ maxIterations }),
    ({ maxIterations }) => maxIterations,
  ),
  flag(
    { name: '--dry-run', summary: 'Only say what would be done.' },
    { dryRun: true },
    ({ dryRun }) => dryRun === true,
  ),
];

/** Options as they are written in a command. */
export function formatOptions(options: RunOptions): readonly string[] {
  return OPTIONS.flatMap(({ name, placeholder, format }) => {
    const value = format(options);
    if (value === null) return [];
    return placeholder === null ? [name] : [`${name}=${value}`];
  });
}
