import { type MessageTurn, type ModelRequest, structured } from '#scripted-claude';
import type { Brief } from './brief.js';
import { handoff } from './handoff.js';
import { bashResults, look } from './show-files.js';
import { RULES } from './rules.js';
import {
  filesOf,
  guardSentence,
  isLarger,
  isUnderstood,
  namedFiles,
  readRequestedWork,
  sizeOfFiles,
  type RequestedWork,
} from './requested-work.js';

/** Triage: criteria for everything the issue asks for. */
export function triage(brief: Brief, request: ModelRequest): MessageTurn {
  const work = readRequestedWork(brief.blocks.get('issue') ?? '');
  if (bashResults(request).length === 0) return look(filesOf(work));
  return structured({
    nonce: brief.nonce,
    type: typeOf(work, brief),
    size: sizeOf(work, brief),
    reasons: [`The issue speaks of ${filesOf(work).length} files: ${filesOf(work).join(', ') || 'none'}.`],
    summary: `Make true what ${brief.issue} asks for: ${
      criteriaFor(work, null)
        .map(({ text }) => text)
        .join('; ') || 'unclear'
    }.`,
    criteria: proposed(work, brief),
    questions: questionsAbout(work, brief),
    handoff: handoff('Read the issue and the files it names.', { files: filesOf(work) }),
  });
}

function typeOf({ functions, guards }: RequestedWork, { follows }: Brief): string {
  if (functions.length > 0) return 'feature';
  return guards.length > 0 && follows(RULES.issue.knowBugs) ? 'bug' : 'task';
}

function sizeOf(work: RequestedWork, { follows }: Brief): RequestedWork['size'] {
  if (!follows(RULES.issue.countAllFiles)) return sizeOfFiles(namedFiles(work).length);
  return work.size === 'S' && !follows(RULES.issue.takeTheLarger) ? 'XS' : work.size;
}

function questionsAbout(work: RequestedWork, { follows }: Brief): readonly string[] {
  if (!isUnderstood(work))
    return [
      'Which function should return what, or which text should be replaced by which? Please say it with the names in backticks.',
    ];
  return follows(RULES.issue.decideSmallThings) ? [] : ['May the tests be in a file of their own?'];
}

interface ProposedCriterion {
  readonly text: string;
  readonly verify: string | null;
  readonly stage: 'pre-merge' | 'post-merge';
}

function proposed(work: RequestedWork, { facts, follows }: Brief): readonly ProposedCriterion[] {
  const test = follows(RULES.issue.testsPass) ? (facts.get('Test command') ?? null) : null;
  const stage = follows(RULES.issue.checkBeforeMerge) ? 'pre-merge' : 'post-merge';
  return criteriaFor(work, test).map((criterion) => ({ ...criterion, stage }));
}

function criteriaFor(work: RequestedWork, test: string | null): readonly ProposedCriterion[] {
  const small = work.size === 'XS' || work.size === 'S';
  const stage = 'pre-merge';
  return [
    ...work.functions.map(
      ({ name, path }) =>
        ({
          text: `\`${name}\` is exported by \`${path}\``,
          verify: `grep "^export function ${name}\\\\(" ${path}`,
          stage,
        }) as const,
    ),
    // Small work is checked by a file criterion; in larger work the model judges.
    ...work.guards.map(
      (guard) =>
        ({
          text: guardSentence(guard),
          verify: small && guard.path !== null ? `grep "throw new ${guard.error}" ${guard.path}` : null,
          stage,
        }) as const,
    ),
    ...work.replacements.map(
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
  const work = readRequestedWork(brief.blocks.get('issue') ?? '');
  if (bashResults(request).length === 0) return look(filesOf(work));
  const { follows } = brief;
  const files = follows(RULES.spec.nameAllFiles) ? filesOf(work) : namedFiles(work);
  const counted = sizeOfFiles(filesOf(work).length);
  const isTooSmall = isLarger(counted, brief.facts.get('Size') ?? '');
  return structured({
    nonce: brief.nonce,
    approach: `Add what is missing to the files the issue names, each with its tests. ${brief.blocks.get('summary') ?? ''}`,
    files: follows(RULES.spec.neverWorkflows) ? files : [...files, '.github/workflows/test.yml'],
    steps: (follows(RULES.spec.serveAll) ? brief.criteria : brief.criteria.slice(0, 1)).map(({ id, text }) => ({
      text: `Make it true that ${text}.`,
      criteria: follows(RULES.spec.nameCriteria) ? [id] : [],
    })),
    risks: [],
    size: isTooSmall && follows(RULES.spec.correctSize) ? counted : null,
    blocked: follows(RULES.spec.goOn) ? null : 'I would rather have a person look at this first.',
    handoff: handoff('Planned one step per criterion.', { files: filesOf(work) }),
  });
}
