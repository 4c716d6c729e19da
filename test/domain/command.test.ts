import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { parseCommand } from '../../src/domain/command.js';

describe('a comment', () => {
  test.each([
    ['/auto', []],
    ['/auto 7', [7]],
    ['/auto #7 #9', [7, 9]],
    ['Please:\n\n/auto 12\n\nthanks', [12]],
    ['/auto   ', []],
    ['/auto\r\n', []],
  ])('%j asks for a run', (body, numbers) => {
    expect(parseCommand(body)).toEqual({ kind: 'auto', numbers });
  });

  test.each([
    'go /auto',
    ' /auto',
    '> /auto',
    '```\n/auto\n```',
    '~~~\n/auto 7\n~~~',
    '    /auto',
    '\t/auto',
    '<!-- \n/auto\n-->',
    '<!-- never closed\n/auto',
    '/automatic',
    '/auto seven',
    '/auto 0',
    '/auto 7 --fast',
    '````\n```\n/auto\n````',
  ])('%j asks for nothing', (body) => {
    expect(parseCommand(body)).toBeNull();
  });

  test('of any kind is read without trouble, and what is quoted is never obeyed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseCommand(text);
        const quoted = `${text}\n/auto`
          .split('\n')
          .map((line) => `> ${line}`)
          .join('\n');
        expect(parseCommand(quoted)).toBeNull();
      }),
    );
  });
});
