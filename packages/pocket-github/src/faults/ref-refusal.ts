import type { RefUpdate } from '../git/git-repository.js';
import type { Refusal } from '../git/protocol/receive-pack.js';
import type { Oid } from '../world/model.js';
import type { FaultPlan, RefFacts } from './fault-plan.js';
import type { RefEffect } from './fault.js';

/** A ref refused by a fault. */
export interface FaultRefusal extends Refusal {
  /** Kind and id of the fault, as the journal names it. */
  readonly fault: string;
}

/** What github.com prints before the reason, where it prints anything. */
const KNOWN_LINES: Readonly<Record<string, readonly string[]>> = {
  failure: ['fatal error in commit_refs'],
  'Internal Server Error': ['Internal Server Error'],
};

const PROTECTION_PAGE =
  'https://docs.github.com/code-security/secret-scanning/working-with-secret-scanning-and-push-protection/working-with-push-protection-from-the-command-line#resolving-a-blocked-push';

/** Asks the faults in force about one ref of a push. `null` lets it pass. */
export function refusalByFault(
  faults: FaultPlan,
  { name: ref, after }: RefUpdate,
  where: Omit<RefFacts, 'ref'>,
): FaultRefusal | null {
  const [hit] = faults.forRef({ ...where, ref });
  return hit === undefined ? null : { ...wordsOf(hit.effect, ref, after), fault: `${hit.effect.kind}#${hit.id}` };
}

function wordsOf(effect: RefEffect, ref: string, commit: Oid | null): Refusal {
  switch (effect.kind) {
    case 'refuse-ref': {
      const { reason, lines = KNOWN_LINES[reason] ?? [] } = effect;
      return { reason: reason === 'cannot lock ref' ? `cannot lock ref '${ref}'` : reason, lines };
    }
    case 'pre-receive':
      return { reason: 'pre-receive hook declined', lines: effect.lines };
    case 'rule-violations':
      return brokenRules(ref, effect.violations);
    case 'push-protection':
      return brokenRules(ref, [protectionText(effect, commit)]);
    default:
      return effect satisfies never;
  }
}

const brokenRules = (ref: string, violations: readonly string[]): Refusal => ({
  reason: 'push declined due to repository rule violations',
  lines: [
    `error: GH013: Repository rule violations found for ${ref}.`,
    ...violations.flatMap((violation) => ['', ...`- ${violation}`.split('\n')]),
    '',
  ],
});

const protectionText = ({ secret, path }: { secret: string; path: string }, commit: Oid | null): string =>
  [
    'GITHUB PUSH PROTECTION',
    `  ${'—'.repeat(41)}`,
    '    Resolve the following violations before pushing again',
    '',
    '    - Push cannot contain secrets',
    '',
    '',
    '     (?) Learn how to resolve a blocked push',
    `     ${PROTECTION_PAGE}`,
    '',
    '',
    `      —— ${secret} ${'—'.repeat(Math.max(2, 50 - secret.length))}`,
    '       locations:',
    `         - commit: ${commit}`,
    `           path: ${path}`,
    '',
    '       (?) To push, remove secret from commit(s) or follow this URL to allow the secret.',
  ].join('\n');
