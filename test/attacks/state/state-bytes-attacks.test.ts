import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseState, type Signing } from '../../../src/adapters/state/state-text.js';
import { EMPTY_STATE } from '../../../src/domain/state/state.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { stateTampering } from '../../support/github/state-tampering.js';

/* B11: whatever bytes somebody puts where a state belongs, looking at them does no harm. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});
const tampering = stateTampering(() => p);

const envelope = (state: unknown, key = 'k1'): string =>
  JSON.stringify({ key, signature: 'f'.repeat(64), content: { owner: 'o', nonce: 'n', state } });
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const within = (inner: string): string => envelope({ ...EMPTY_STATE, x: 'HERE' }).replace('"HERE"', () => inner);

const BYTES: readonly (readonly [string, Buffer | string])[] = [
  ['8,000 nested arrays in a state', within(nested(8_000))],
  ['100,000 nested arrays', nested(100_000)],
  ['100,000 nested objects', '{"a":'.repeat(100_000)],
  ['numbers without end', within('1e999')],
  ['a member named __proto__', within('{"__proto__":{"epoch":9}}')],
  ['the same member twice', within('1').replace('"epoch"', '"epoch":7,"epoch"')],
  ['a key that nobody has', envelope(EMPTY_STATE, 'k9')],
  ['the name of a key of 100,000 letters', envelope(EMPTY_STATE, 'k'.repeat(100_000))],
  ['300,000 bytes', within(`"${'x'.repeat(300_000)}"`)],
  ['two million bytes', Buffer.alloc(2_000_000, '[')],
  ['no text at all', Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28])],
  ['nothing', ''],
];

describe.each(BYTES)('%s in the state ref', (_, bytes) => {
  test('are shown as nothing of ours, and a permitted person starts afresh', async () => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await tampering.putBytes(number, bytes);
    await harness.say('wren', number, '/auto status');
    expect((await harness.said(number)).join('\n')).toContain('cannot be trusted');
    expect(harness.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    await harness.say('wren', number, '/auto');
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
  });
});

describe('any bytes at all', () => {
  const signing: Signing = { keys: { current: { id: 'k1', secret: 's' } }, acceptUnsigned: false };
  const place = {
    subject: { ref: { owner: 'ada', repo: 'sandbox', number: 7 }, repositoryDatabaseId: 42 },
    parent: null,
  };
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2_000 }),
    fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes).toString()),
    fc.json({ maxDepth: 5 }),
    fc.json().map((inner) => within(inner)),
    fc.nat(20_000).map((depth) => within(nested(depth))),
    fc.nat(20_000).map((depth) => within(`{"a":`.repeat(depth) + '1' + '}'.repeat(depth))),
    fc.tuple(fc.string(), fc.json()).map(([key, inner]) => envelope(inner, key)),
    fc.bigInt().map((digits) => within(`${digits}${'9'.repeat(400)}`)),
    fc.constantFrom('"__proto__"', '"constructor"').map((name) => within(`{${name}:{"epoch":1},${name}:null}`)),
  );

  test.each<[string, Signing]>([
    ['with a key', signing],
    ['without', { keys: null, acceptUnsigned: true }],
  ])('are no state, and nothing is thrown, for somebody %s', (_, how) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const read = parseState(text, place, how);
        expect(read.kind).toBe('unverifiable');
        expect(read.kind === 'unverifiable' && read.why.length).toBeLessThanOrEqual(500);
      }),
      { numRuns: 500 },
    );
  });
});
