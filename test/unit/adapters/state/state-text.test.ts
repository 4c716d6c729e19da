import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { formatState, parseState, type Signing } from '../../../../src/adapters/state/state-text.js';
import { formatSubject } from '../../../../src/adapters/state/subject-line.js';
import { EMPTY_STATE, type IssueState } from '../../../../src/domain/state/state.js';
import { anyState } from '../../../support/domain/arbitrary-state.js';

const subject = { ref: { owner: 'ada', repo: 'sandbox', number: 7 }, repositoryDatabaseId: 42 };
const place = { subject, parent: 'a'.repeat(40) };
const author = { owner: 'worker-1', nonce: 'n1' };
const signing: Signing = {
  keys: { current: { id: 'k2', secret: 'new' }, previous: { id: 'k1', secret: 'old' } },
  acceptUnsigned: false,
};
const UNSIGNED: Signing = { keys: null, acceptUnsigned: true };

const write = (state: IssueState = EMPTY_STATE, how: Signing = signing): string =>
  formatState(state, author, place, how);

/** What it says, whatever the spaces; `-0` is the same number as `0`. */
function meaningOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

describe('a state as text', () => {
  test('reads back as it was written, whatever it says', () => {
    fc.assert(
      fc.property(anyState, fc.constantFrom(signing, UNSIGNED), (state, how) => {
        expect(parseState(write(state, how), place, how)).toEqual({ kind: 'valid', state });
      }),
      { numRuns: 300 },
    );
  });

  test('is believed only with every letter as it was', () => {
    const written = write({ ...EMPTY_STATE, epoch: 3, spentUsd: 1.5 });
    fc.assert(
      fc.property(fc.nat(written.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (index, letter) => {
        const changed = written.slice(0, index) + letter + written.slice(index + 1);
        fc.pre(meaningOf(changed) !== meaningOf(written));
        expect(parseState(changed, place, signing).kind).toBe('unverifiable');
      }),
      { numRuns: 300 },
    );
  });

  test.each<[string, typeof place]>([
    ['another issue', { ...place, subject: { ...subject, ref: { ...subject.ref, number: 8 } } }],
    ['another repository', { ...place, subject: { ...subject, repositoryDatabaseId: 43 } }],
    ['another moment', { ...place, parent: 'b'.repeat(40) }],
  ])('does not count for %s', (_, elsewhere) => {
    expect(parseState(write(), elsewhere, signing)).toMatchObject({
      kind: 'unverifiable',
      why: expect.stringContaining('does not fit'),
    });
  });

  test('a renamed repository keeps its states', () => {
    const renamed = { ...place, subject: { ...subject, ref: { ...subject.ref, owner: 'org', repo: 'box' } } };
    expect(parseState(write(), renamed, signing).kind).toBe('valid');
  });

  test.each<[string, Signing, Signing, string]>([
    ['the key before', { keys: { current: { id: 'k1', secret: 'old' } }, acceptUnsigned: false }, signing, 'valid'],
    [
      'a key by the same name',
      { keys: { current: { id: 'k2', secret: 'guess' } }, acceptUnsigned: false },
      signing,
      'does not fit',
    ],
    [
      'a key we do not have',
      { keys: { current: { id: 'k9', secret: 'new' } }, acceptUnsigned: false },
      signing,
      'does not have',
    ],
    ['no key, for somebody with one', UNSIGNED, signing, 'nobody signed it'],
    ['no key, for somebody with a token of their own', UNSIGNED, { ...signing, acceptUnsigned: true }, 'valid'],
    ['a key, for somebody without', signing, UNSIGNED, 'does not have'],
  ])('signed with %s', (_, by, reader, expected) => {
    expect(JSON.stringify(parseState(write(EMPTY_STATE, by), place, reader))).toContain(expected);
  });

  test.each(['', 'null', '[]', '{}', '{"key":"none","signature":"","content":{"state":{}}}', 'x'.repeat(1000)])(
    '%j is no state',
    (text) => {
      expect(parseState(text, place, UNSIGNED)).toEqual({
        kind: 'unverifiable',
        why: 'it is not a state written by Sluice',
      });
    },
  );

  test('of a later version is named as such, and a member nobody knows is not read over', () => {
    const changed = (change: object) =>
      JSON.stringify({
        key: 'none',
        signature: '',
        content: { owner: 'o', nonce: 'n', state: { ...EMPTY_STATE, ...change } },
      });
    expect(parseState(changed({ schema: 2 }), place, UNSIGNED)).toMatchObject({
      why: expect.stringContaining('schema 2'),
    });
    expect(parseState(changed({ surprise: 1 }), place, UNSIGNED)).toMatchObject({
      why: expect.stringContaining('surprise'),
    });
  });

  const unsigned = (state: object, key = 'none'): string =>
    JSON.stringify({ key, signature: '', content: { owner: 'o', nonce: 'n', state: { ...EMPTY_STATE, ...state } } });
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

  test.each([
    ['deeper than any state', unsigned({ x: nested(40) })],
    ['longer than any state', unsigned({ progressFingerprint: 'x'.repeat(300_000) })],
    ['longer than any state in bytes, though not in letters', unsigned({ progressFingerprint: '本'.repeat(100_000) })],
    ['signed by the name of a key that is not one', unsigned({}, 'k'.repeat(65))],
    ['signed by the name of a key with other letters', unsigned({}, 'k\n@ada')],
  ])('a text %s is not even looked into', (_, text) => {
    expect(parseState(text, place, UNSIGNED)).toEqual({
      kind: 'unverifiable',
      why: 'it is not a state written by Sluice',
    });
  });

  test('what could not be read again is not written', () => {
    expect(() => write({ ...EMPTY_STATE, progressFingerprint: 'x'.repeat(300_000) })).toThrow(
      'more than could be read again',
    );
    expect(() => write({ ...EMPTY_STATE, spentUsd: Number.NaN })).toThrow();
    expect(() => write({ ...EMPTY_STATE, epoch: -1 })).toThrow();
  });
});

describe('a reason as a commit message', () => {
  test.each([
    ['Merged: all checks are green.', 'Merged: all checks are green.'],
    ['two\nlines\r\n\tand\u0000 more', 'two lines and more'],
    ['turned \u202earound\u2066 and \u200bhidden\u{e0041}', 'turned around and hidden'],
    ['half \ud800 a pair', 'half a pair'],
    [' \n ', 'No reason given'],
    ['🙂'.repeat(600), '🙂'.repeat(500)],
  ])('%j', (because, line) => {
    expect(formatSubject(because)).toBe(line);
  });
});
