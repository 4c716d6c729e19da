import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseState, type Signing } from '../../../../src/adapters/state/state-text.js';
import { ROOT } from '../../../support/source-files.js';

/* States as an earlier version wrote and signed them. They stand on state refs of other people's repositories: every later version reads them. */

const signing: Signing = {
  keys: { current: { id: 'stored', secret: 'of-a-test' } },
  acceptUnsigned: false,
};
const subject = { ref: { owner: 'ada', repo: 'sandbox', number: 7 }, repositoryDatabaseId: 42 };
const stored = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/states/schema-1.json'), 'utf8')) as string[];

test('stored states of schema 1 are read, and say what they said', () => {
  expect(stored.length).toBeGreaterThan(3);
  for (const text of stored) {
    const { content } = JSON.parse(text) as { content: { state: object } };
    const reading = parseState(text, { subject, parent: 'a'.repeat(40) }, signing);
    expect(reading).toEqual({ kind: 'valid', state: content.state });
  }
});
