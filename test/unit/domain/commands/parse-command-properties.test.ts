import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type Command, RETRY_PHASES } from '../../../../src/domain/commands/command.js';
import { formatCommandError } from '../../../../src/domain/commands/command-error.js';
import { formatCommand } from '../../../../src/domain/commands/format-command.js';
import { mayHoldCommand } from '../../../../src/domain/commands/may-hold-command.js';
import { parseCommand } from '../../../../src/domain/commands/parse-command.js';
import { MODEL_TIERS, type RunOptions } from '../../../../src/domain/issue/options.js';
import { PHASES } from '../../../../src/domain/issue/phase.js';
import { REVIEW_DEPTHS } from '../../../../src/domain/issue/route.js';

/** Text that comes close to commands, with everything Markdown has. */
const PIECES = [
  '/auto¦ ¦\n¦\r\n¦\r¦\n\n¦12¦#3¦stop¦continue¦retry¦--pr¦--base¦=¦--batch¦ada/quay#1¦,',
  '```¦~~~¦`¦> ¦- ¦    ¦\t¦<!--¦-->¦<details>¦</details>¦<pre>¦\\¦[x]:¦<¦>',
  '\u200b¦\u202e¦\u2014¦\ufeff¦\ud800¦\u0000',
].flatMap((row) => row.split('¦'));
const pieces = fc.constantFrom(...PIECES);
const nearlyCommands = fc
  .array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 30 })
  .map((p) => p.join(''));
const anyText = fc.oneof(nearlyCommands, fc.string(), fc.string({ unit: 'binary' }));

describe('any text', () => {
  test('is read without trouble', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseCommand(text);
        // What the test before the parser misses, nobody ever parses.
        if (parsed.kind !== 'none') expect(mayHoldCommand(text)).toBe(true);
        if (parsed.kind === 'error') expect(formatCommandError(parsed.error)).toContain('/auto help');
      }),
      { numRuns: 3_000 },
    );
  });

  test('says nothing where it is wrapped in code, quotes, comments or folded', () => {
    const lines = (text: string): string[] => text.split(/\r\n|\n|\r/);
    const wrappings: readonly ((text: string) => string)[] = [
      (text) =>
        lines(text)
          .map((line) => `> ${line}`)
          .join('\n'),
      (text) =>
        lines(text)
          .map((line) => `    ${line}`)
          .join('\n'),
      (text) => `\`\`\`\`\`\`\n${text.replaceAll('``````', '')}\n\`\`\`\`\`\``,
      (text) => `~~~~~~ sh\n${text.replaceAll('~~~~~~', '')}`,
      (text) => `<!--\n${text.replaceAll('-->', '')}\n-->`,
      (text) => `see <!-- ${text.replaceAll('-->', '')} -->`,
      (text) => `<pre>\n${text.replaceAll(/<\/(?:pre|script|style|textarea)>/gi, '')}\n</pre>`,
      (text) => `<details>\n\n${text.replaceAll(/details|```|~~~|`|<!--|<pre>|^(?: {4}|\t)/gim, '')}\n\n</details>`,
    ];
    fc.assert(
      fc.property(nearlyCommands, fc.constantFrom(...wrappings), (text, wrap) => {
        expect(parseCommand(wrap(`${text}\n/auto 12\n${text}`))).toEqual({ kind: 'none' });
      }),
      { numRuns: 3_000 },
    );
  });

  test('around a wrapped command changes nothing', () => {
    const words = fc.stringMatching(/^[a-z .,]{0,20}$/);
    fc.assert(
      fc.property(words, words, (before, after) => {
        expect(parseCommand(`${before}\n\n\`\`\`\n/auto 1\n\`\`\`\n\n/auto 12\n\n${after}`)).toMatchObject({
          kind: 'command',
          command: { kind: 'auto', numbers: [12] },
        });
      }),
    );
  });
});

const number = fc.integer({ min: 1, max: 2_147_483_647 });
const numbers = (maxLength: number) => fc.uniqueArray(number, { maxLength });
const branch = fc
  .stringMatching(/^[a-z0-9_]{1,9}(?:[/.-][a-z0-9_]{1,9}){0,3}$/)
  .filter((name) => !/\.lock(?:\/|$)/.test(name));
const options: fc.Arbitrary<RunOptions> = fc
  .record(
    {
      route: fc.constantFrom('patch', 'pr'),
      review: fc.constantFrom(...REVIEW_DEPTHS),
      base: branch,
      stopAt: fc.constantFrom(...PHASES),
      model: fc.constantFrom(...MODEL_TIERS),
      budgetUsd: fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100),
      timeoutMin: fc.integer({ min: 1, max: 10_080 }),
      maxIterations: fc.integer({ min: 1, max: 200 }),
      dryRun: fc.constant(true),
    },
    { requiredKeys: [] },
  )
  .filter(({ route, stopAt, review }) => route !== 'patch' || (stopAt !== 'review' && review === undefined));
const one = fc.option(number);
const text = fc
  .array(fc.stringMatching(/^[\w #,.-]{0,12}$/), { maxLength: 3 })
  .map((lines) => lines.join('\n').replaceAll(/ +$/gm, '').trim());

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('auto' as const), numbers: numbers(30), options }),
  fc.record({ kind: fc.constant('resume' as const), number: one, options }),
  fc.record({
    kind: fc.constant('batch' as const),
    of: fc.oneof(
      fc.record({ kind: fc.constant('count' as const), count: fc.integer({ min: 1, max: 200 }) }),
      fc.record({
        kind: fc.constant('list' as const),
        numbers: fc.uniqueArray(number, { minLength: 1, maxLength: 30 }),
      }),
      fc.constant({ kind: 'resume' as const }),
    ),
    options,
  }),
  fc.record({
    kind: fc.constantFrom('stop' as const, 'pause' as const, 'status' as const, 'explain' as const),
    number: one,
  }),
  fc.record({ kind: fc.constant('continue' as const), number: one, text }),
  fc.record({ kind: fc.constant('retry' as const), number: one, phase: fc.option(fc.constantFrom(...RETRY_PHASES)) }),
  fc.record({
    kind: fc.constant('approve' as const),
    number: one,
    hash: fc.option(fc.stringMatching(/^[0-9a-f]{7,64}$/)),
  }),
  fc.constant({ kind: 'help' as const }),
);

test('what is written out is read back as the same command', () => {
  fc.assert(
    fc.property(command, (given) => {
      expect(parseCommand(formatCommand(given))).toMatchObject({ kind: 'command', command: given });
    }),
    { numRuns: 1_000 },
  );
});

test('the nearest command that is named is one', () => {
  const word = fc.constantFrom(
    'stpo',
    'stop',
    '12',
    '--reveiw',
    '--review',
    'full',
    'patch',
    '--base',
    'resume',
    'x',
    '1 2',
    '--pr=1',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      const parsed = parseCommand(`/auto ${words.join(' ')}`);
      if (parsed.kind !== 'error' || parsed.error.nearest === null) return;
      expect(parseCommand(parsed.error.nearest)).toMatchObject({ kind: 'command' });
    }),
  );
});

describe('a very long comment is read in time that grows with its length', () => {
  /** What GitHub takes. */
  const MAX_LENGTH = 65_536;
  const UNITS = [
    '`¦``` ¦` `` ¦\n`¦<!--¦<!-- x\n\n¦<?¦<![CDATA[¦<!A¦<a b="¦<a b=\' ¦<a b c ¦<details>¦<details \n¦</details>\n\n',
    '> ¦>¦- ¦- a\n¦1. ¦> - ¦- ```\n¦\t¦ ¦\n¦\r¦\\¦\\`¦[¦[a]:\n¦*¦_ ¦- - -x¦#¦</pre¦<pre>\n¦<x@¦<ab:',
    '/auto ¦/auto\n¦/auto 1 2 ¦12 ¦,¦—¦\u200b¦\ufeff¦\n    /auto',
  ].flatMap((row) => row.split('¦'));

  test.each(UNITS)('%j again and again', (unit) => {
    expectLinear((length) => `/auto 1\n${unit.repeat(length / unit.length)}\n/auto 2`);
    expectLinear((length) => `/auto ${unit.repeat(length / unit.length)}`);
  });

  test('and so is one that nests deeply before many blank lines', () => {
    expectLinear((length) => `${'- '.repeat(length / 4)}x${'\n'.repeat(length / 2)}/auto`);
    expectLinear((length) => `${'> '.repeat(length / 4)}x${'\n>'.repeat(length / 4)}\n/auto`);
  });

  /** Four times the text is four times the work; if each character looked at all the others it would be sixteen times. */
  function expectLinear(textOf: (length: number) => string): void {
    const grows = (): number => processorMs(textOf(MAX_LENGTH)) / Math.max(10, processorMs(textOf(MAX_LENGTH / 4)));
    const isLinear = [1, 2, 3, 4].some(() => grows() < 9);
    expect(isLinear).toBe(true);
  }

  /** Processor time of this process, which other processes do not change as they do the clock's. */
  function processorMs(text: string): number {
    const before = process.cpuUsage();
    parseCommand(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }
});
