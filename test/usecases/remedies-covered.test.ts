import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { HaltCode } from '../../src/domain/errors.js';

/** The test that brings each stop about and then does what its text says; the compiler asks for every new one. */
const CARRIED_OUT: Readonly<Record<HaltCode, string>> = {
  'service-crashes': 'takeover',
  'provider-unavailable': 'remedies-outside',
  'repository-unusable': 'remedies-outside',
  'off-limits': 'remedies-outside',
  'result-refused': 'remedies-outside',
  limits: 'remedies-outside',
  'authoriser-gone': 'remedies-outside',
  'head-not-shown': 'remedies-outside',
  'xl-unsupported': 'remedies',
  stopped: 'remedies',
  paused: 'remedies',
  reopened: 'answers',
  'no-progress': 'remedies',
  'over-budget': 'remedies',
  'out-of-time': 'remedies',
  'too-big': 'remedies',
  'commands-unapproved': 'commands',
  'nothing-to-do': 'remedies',
  blocked: 'remedies',
  'questions-open': 'answers',
  'verify-malformed': 'malformed-verify',
  'base-missing': 'run-options',
  'workflows-differ': 'remedies',
  'pull-refused': 'refused-pulls',
  'push-refused': 'refused-pushes',
  retargeted: 'remedies-pull',
  'conflict-unresolved': 'remedies-pull',
  'stopped-at': 'run-options',
  'phase-failed': 'remedies',
  'too-many-runs': 'remedies',
  'review-unresolved': 'overruled',
  'checks-red': 'remedies-pull',
  'checks-missing': 'remedies-pull',
  'merge-refused': 'merging',
  'objections-unresolved': 'objections',
  'mergeability-unknown': 'merging',
  'verify-failed': 'remedies',
  'criteria-manual': 'criteria-by-hand',
  'pr-closed': 'closed-pull',
  'pull-unreadable': 'unread-pull',
  'pull-foreign': 'foreign-pull',
};

test.each(Object.entries(CARRIED_OUT))('the way out of %s is taken in %s.test.ts', (code, file) => {
  expect(readFileSync(`test/usecases/${file}.test.ts`, 'utf8')).toContain(`'${code}'`);
});
