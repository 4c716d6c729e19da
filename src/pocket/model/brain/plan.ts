import type { ModelRequest } from '../protocol/model-request.js';
import { structured } from '../script/say.js';
import type { MessageTurn } from '../script/turn.js';
import type { Brief } from './brief.js';
import { handoff } from './handoff.js';
import { bashResults, look } from './look.js';
import { filesOf, guardSentence, isUnderstood, readWish, type Wish } from './wish.js';

/** Triage: criteria for everything the issue asks for. */
export function triage(brief: Brief, request: ModelRequest): MessageTurn {
  const wish = readWish(brief.blocks.get('issue') ?? '');
  if (bashResults(request).length === 0) return look(filesOf(wish));
  const questions = isUnderstood(wish)
    ? []
    : [
        'Which function should return what, or which text should be replaced by which? Please say it with the names in backticks.',
      ];
  return structured({
    nonce: brief.nonce,
    type: wish.functions.length > 0 ? 'feature' : wish.guards.length > 0 ? 'bug' : 'task',
    size: wish.size,
    reasons: [`The issue speaks of ${filesOf(wish).length} files: ${filesOf(wish).join(', ') || 'none'}.`],
    summary: `Make true what ${brief.issue} asks for: ${
      criteriaFor(wish, null)
        .map(({ text }) => text)
        .join('; ') || 'unclear'
    }.`,
    criteria: criteriaFor(wish, brief.facts.get('Test command') ?? null),
    questions,
    handoff: handoff('Read the issue and the files it names.', { files: filesOf(wish) }),
  });
}

interface ProposedCriterion {
  readonly text: string;
  readonly verify: string | null;
  readonly stage: 'pre-merge';
}

function criteriaFor(wish: Wish, test: string | null): readonly ProposedCriterion[] {
  const small = wish.size === 'XS' || wish.size === 'S';
  const stage = 'pre-merge';
  return [
    ...wish.functions.map(
      ({ name, path }) =>
        ({
          text: `\`${name}\` is exported by \`${path}\``,
          verify: `grep "^export function ${name}\\\\(" ${path}`,
          stage,
        }) as const,
    ),
    // In small work a glance at the file is enough; in larger work somebody has to judge it.
    ...wish.guards.map(
      (guard) =>
        ({
          text: guardSentence(guard),
          verify: small && guard.path !== null ? `grep "throw new ${guard.error}" ${guard.path}` : null,
          stage,
        }) as const,
    ),
    ...wish.replacements.map(
      (replacement) =>
        ({
          text: `\`${replacement.path}\` says \`${replacement.new}\``,
          verify: `file_contains ${replacement.path} "${replacement.new}"`,
          stage,
        }) as const,
    ),
    ...(test === null || test.startsWith('none configured')
      ? []
      : [{ text: 'All tests pass', verify: `command "${test.replaceAll(/["\\]/g, '\\$&')}"`, stage } as const]),
  ];
}

/** The spec: one step per criterion it was given. */
export function specify(brief: Brief, request: ModelRequest): MessageTurn {
  const wish = readWish(brief.blocks.get('issue') ?? '');
  if (bashResults(request).length === 0) return look(filesOf(wish));
  return structured({
    nonce: brief.nonce,
    approach: `Add what is missing to the files the issue names, each with its tests. ${brief.blocks.get('summary') ?? ''}`,
    files: filesOf(wish),
    steps: brief.criteria.map(({ id, text }) => ({ text: `Make it true that ${text}.`, criteria: [id] })),
    risks: [],
    size: null,
    blocked: null,
    handoff: handoff('Planned one step per criterion.', { files: filesOf(wish) }),
  });
}
