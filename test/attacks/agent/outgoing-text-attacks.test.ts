import { describe, expect, test } from '@jest/globals';
import { publishPlain } from '../../../src/domain/sanitise/publish.js';
import { escapeControls } from '../../../src/domain/sanitise/invisible.js';
import { tipOf } from '#pocket-github/test/branches';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* Words of strangers that mean something to a machine: to CI in a commit message, to a terminal. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const SKIPPING = [
  '[skip ci]',
  '[ci skip]',
  '[no ci]',
  '[skip actions]',
  '[Actions Skip]',
  '[skip-ci]',
  '[ skip  ci ]',
  '[skip travis]',
  '***NO_CI***',
  'skip-checks: true',
  'skip-checks:true',
];

describe('words that keep CI from running', () => {
  test.each(SKIPPING)('%s in a title does not reach the commit that lands', async (words) => {
    const harness = await open({ size: 'XS' });
    const { data } = await p.rest('mallory').rest.issues.create({ ...p.at, title: `Do ${words} the work`, body: 'x' });
    await harness.say('wren', data.number, '/auto');
    await harness.finish();
    const commit = await p.pocket.world.git(p.repository.id).commit(tipOf(p, 'main'));
    expect(commit?.message).toContain('Sluice-Issue:');
    expect(commit?.message).not.toContain(words);
  });

  test('what only looks like them stays', () => {
    for (const words of ['[no tests]', 'skip ci', '[ci]', '[skipper]', '*** NO ***'])
      expect(publishPlain(words)).toBe(words);
  });
});

test('terminal control characters are shown escaped, and JSON stays as it was', () => {
  const title = '\u001b]0;owned\u0007\u001b[2Jgone\u009b31m\u202eevil\ttab\nline';
  expect(escapeControls(title)).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
  const json = JSON.stringify({ title });
  expect(JSON.parse(escapeControls(json))).toEqual({ title });
});
