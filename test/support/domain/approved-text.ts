import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from '@jest/globals';

/** Compares a text with its approved version. After an intended change, run with UPDATE_WORDS=1 and read the difference. */
export function expectApprovedText(name: string, text: string): void {
  const file = resolve('test/fixtures/comments', `${name}.md`);
  if (process.env['UPDATE_WORDS'] === '1') {
    mkdirSync(resolve('test/fixtures/comments'), { recursive: true });
    writeFileSync(file, `${text}\n`);
  }
  expect(existsSync(file) ? readFileSync(file, 'utf8') : `${file} is missing`).toBe(`${text}\n`);
}
