import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createRedactor, redactPatterns } from '../../../../src/domain/sanitise/redact.js';
import { cpuTimeOf } from '../../../support/cpu-time.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const long = (length: number): string => Array.from({ length }, (_, at) => LETTERS[(at * 7) % 62]).join('');
const jwt = `eyJ${long(40)}.eyJ${long(300)}.${long(80)}`;

describe('credentials by their looks', () => {
  test.each<[string, string]>([
    ['a personal token', `ghp_${long(36)}`],
    ['an installation token', `ghs_${long(36)}`],
    ['an installation token of the long kind', `ghs_123456_${jwt}`],
    ['tokens of other kinds', `gho_${long(36)} ghu_${long(36)} ghr_${long(76)}`],
    ['a fine-grained token', `github_pat_${long(22)}_${long(59)}`],
    ['a key for the model', `sk-ant-api03-${long(93)}`],
    ['a token for the model', `sk-ant-oat01-${long(60)}`],
    ['a key of AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['its secret', `aws_secret_access_key = ${long(40)}`],
    ['a private key', `-----BEGIN RSA PRIVATE KEY-----\n${long(64)}\n${long(20)}==\n-----END RSA PRIVATE KEY-----`],
    ['a JWT', jwt],
    ['a header', `Authorization: Bearer ${long(24)}`],
    ['a header of git', `AUTHORIZATION: basic ${btoa(`x-access-token:ghs_${long(36)}`)}`],
    ['the same without its name', btoa(`x-access-token:ghs_${long(36)}`)],
    ['a header of git with a token of the long kind', btoa(`x-access-token:ghs_123456_${jwt}`)],
    ['an address with a token of the long kind', `https://x-access-token:ghs_123456_${jwt}@github.com/a/b`],
    ['an address with a password', `https://ada:${long(12)}@github.com/a/b`],
    ['a redis with a password', `redis://:${long(12)}@localhost:6379`],
  ])('%s', (_, text) => {
    const shown = redactPatterns(`before ${text} after`);
    expect(shown).toContain('‹redacted›');
    expect(shown).toMatch(/^before .* after$/s);
    expect(shown).not.toMatch(/[A-Za-z0-9]{20}/);
  });

  test.each([
    'The bearer of good news is a responsible person',
    'basic responsibilities, https://example.com:8080/a@b, ghs_ and sk-ant- are prefixes',
    'commit 0123456789abcdef0123456789abcdef01234567, AKIA is four letters',
    '"authorization": "required"',
  ])('ordinary text stays: %s', (text) => {
    expect(redactPatterns(text)).toBe(text);
  });

  test('of half a private key nothing is left: where it would end nobody knows', () => {
    expect(redactPatterns(`a -----BEGIN PRIVATE KEY-----\\n${long(64)}\\n${long(20)} after`)).toBe('a ‹redacted›');
  });

  test('a line of JSON stays JSON', () => {
    const line = JSON.stringify({
      a: `Bearer ${long(30)}`,
      b: `https://u:${long(12)}@x.y`,
      c: '-----BEGIN PRIVATE KEY-----\nabc',
    });
    expect(JSON.parse(redactPatterns(line))).toEqual({
      a: 'Bearer ‹redacted›',
      b: 'https://‹redacted›@x.y',
      c: '‹redacted›',
    });
  });

  test.each(['ghs_', 'eyJ-', 'https://', 'a://:', '-----BEGIN PRIVATE KEY-----', 'bearer ', 'x.'])(
    'a text that is nothing but %j is read in time',
    (piece) => {
      const text = piece.repeat(Math.ceil(200_000 / piece.length));
      expect(cpuTimeOf(() => void redactPatterns(text))).toBeLessThan(1_500);
    },
  );
});

describe('secrets that are known', () => {
  const secret = 'tide/Table+7 "quoted" ümlaut-9';
  const redact = createRedactor([secret, 'short', '', `  ${long(40)}\n`]);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  test.each<[string, string]>([
    ['as they are', secret],
    ['in base64', base64(secret)],
    ['in base64 after one byte', base64(`a${secret}b`)],
    ['in base64 after two bytes', base64(`ab${secret}`)],
    ['in base64 for addresses', Buffer.from(secret).toString('base64url')],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in capital hex', Buffer.from(secret).toString('hex').toUpperCase()],
    ['in an address', encodeURIComponent(secret)],
    ['in an address, small letters', encodeURIComponent(secret).toLowerCase()],
    ['in JSON', JSON.stringify(secret)],
    ['without the beginning', secret.slice(7)],
    ['in two halves', `${secret.slice(0, 15)}\n${secret.slice(15)}`],
    ['with space around the value it was given', long(40)],
  ])('%s', (_, text) => {
    const shown = redact(`x ${text} y`);
    expect(shown).toContain('‹redacted›');
    for (const form of [secret, base64(secret), encodeURIComponent(secret), long(40)])
      for (let at = 0; at + 12 <= form.length; at += 1) expect(shown).not.toContain(form.slice(at, at + 12));
  });

  test('too short a secret would take ordinary words away', () => {
    expect(redact('a short text')).toBe('a short text');
  });

  test('wherever a secret stands, no part of it is left, the rest is, and a second time changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 16, maxLength: 60 }), fc.string(), fc.string(), (value, before, after) => {
        fc.pre(value.trim().length >= 12);
        const once = createRedactor([value])(`${before}${value}${after}`);
        expect(once).not.toContain(value.trim());
        expect(createRedactor([value])(once)).toBe(once);
      }),
    );
  });
});
