import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { HaltCode } from '../../../src/domain/issue/halt-codes.js';

/** The test that brings each stop about and then does what its text says; the compiler asks for every new one. */
const CARRIED_OUT: Readonly<Record<HaltCode, string>> = {
  'service-crashes': 'recovery/takeover',
  'provider-unavailable': 'recovery/remedies-outside',
  'repository-unusable': 'recovery/remedies-outside',
  'off-limits': 'recovery/remedies-outside',
  'result-refused': 'recovery/remedies-outside',
  limits: 'recovery/remedies-outside',
  'authoriser-gone': 'recovery/remedies-outside',
  'head-not-shown': 'recovery/remedies-outside',
  'xl-unsupported': 'recovery/remedies',
  stopped: 'recovery/remedies',
  paused: 'recovery/remedies',
  reopened: 'commands/answers',
  'no-progress': 'recovery/remedies',
  'over-budget': 'recovery/remedies',
  'out-of-time': 'recovery/remedies',
  'too-big': 'recovery/remedies',
  'commands-unapproved': 'commands/commands',
  'nothing-to-do': 'recovery/remedies',
  blocked: 'recovery/remedies',
  'questions-open': 'commands/answers',
  'verify-malformed': 'commands/malformed-verify',
  'base-missing': 'commands/run-options',
  'workflows-differ': 'recovery/remedies',
  'pull-refused': 'delivery/refused-pulls',
  'push-refused': 'delivery/refused-pushes',
  retargeted: 'recovery/remedies-pull',
  'conflict-unresolved': 'recovery/remedies-pull',
  'work-unrelated': 'recovery/unrelated-branch',
  'stopped-at': 'commands/run-options',
  'phase-failed': 'recovery/remedies',
  'too-many-runs': 'recovery/remedies',
  'review-unresolved': 'manual-actions/overruled-findings',
  'checks-red': 'recovery/remedies-pull',
  'checks-missing': 'recovery/remedies-pull',
  'merge-refused': 'delivery/merging',
  'objections-unresolved': 'manual-actions/objections',
  'mergeability-unknown': 'delivery/merging',
  'verify-failed': 'recovery/remedies',
  'criteria-manual': 'manual-actions/criteria-by-hand',
  'pr-closed': 'delivery/closed-pull',
  'pull-unreadable': 'delivery/unreadable-pull',
  'pull-foreign': 'delivery/foreign-pull',
};

test.each(Object.entries(CARRIED_OUT))('the way out of %s is taken in %s.test.ts', (code, file) => {
  expect(readFileSync(`test/system/${file}.test.ts`, 'utf8')).toContain(`'${code}'`);
});
