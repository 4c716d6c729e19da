import { bash, type MessageTurn, type ModelRequest, say, structured, together } from '#scripted-claude';
import type { Brief } from './brief.js';
import { handoff } from './handoff.js';
import { bashResults, lineOf, look, looked } from './show-files.js';
import { RULES } from './rules.js';
import { hasGuard, type Files } from './source.js';
import { guardSentence, guardsIn, readRequestedWork, type RequestedGuard } from './requested-work.js';

/** Review: the diff, then the files it changed, then what is missing. */
export function review(brief: Brief, request: ModelRequest): MessageTurn {
  const [diff, seen] = bashResults(request);
  const command = brief.facts.get('The change') ?? '';
  if (diff === undefined) return together(say('I read the change.'), bash(command));
  const changed = [...diff.text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path);
  if (seen === undefined) return look(changed);
  const { files } = looked(seen.text);
  const findings = findingsIn(brief, { files, changed, diff: diff.text });
  const wrong = findings.length > 0;
  const where = changed.map((path) => `${path}:1`).join(', ') || `\`${command}\` exit code 0, and nothing to see`;
  const proof = (evidence: string): string => (brief.follows(RULES.review.evidence) ? evidence : 'It looks fine.');
  const good = { score: 0.95, evidence: proof(`Read ${where}.`) };
  const shown = findings.map(({ file, line }) => `${file}:${line ?? 1}`).join(', ') || where;
  const doubtful = { score: brief.follows(RULES.review.lowScore) ? 0.6 : 0.95, evidence: proof(shown) };
  return structured({
    nonce: brief.nonce,
    summary: wrong ? 'Part of what the issue asks for is missing.' : 'Does what the issue asks for, with tests.',
    findings,
    scores: { d1: wrong ? doubtful : good, d2: good, d3: wrong ? doubtful : good, d4: good, d5: good, d6: good },
    handoff: handoff(`Reviewed ${changed.length} files.`, { files: changed }),
  });
}

interface FoundFault {
  readonly severity: 'MUST' | 'CONSIDER';
  readonly file: string;
  readonly line: number | null;
  readonly text: string;
}

function findingsIn(
  brief: Brief,
  { files, changed, diff }: { readonly files: Files; readonly changed: readonly string[]; readonly diff: string },
): readonly FoundFault[] {
  const { follows } = brief;
  const missing = follows(RULES.review.checkRequirements) ? missingGuards(brief, files) : [];
  const found = [...missing, ...(changed.length === 0 ? [nothingChanged(diff)] : [])];
  const invented = found.length === 0 && !follows(RULES.review.inventNothing) ? [matterOfTaste(changed)] : [];
  const placed = follows(RULES.review.oneAtItsLine)
    ? found
    : found.flatMap((fault) => [{ ...fault, line: null }, fault]);
  const severity = follows(RULES.review.must) ? 'MUST' : 'CONSIDER';
  return [...placed.map((fault) => ({ ...fault, severity }) as const), ...invented];
}

const matterOfTaste = ([file = 'README.md']: readonly string[]): FoundFault => ({
  severity: 'MUST',
  file,
  line: 1,
  text: 'I would have written this otherwise.',
});

/** Inputs that the issue wants refused and the changed code accepts. */
function missingGuards({ blocks }: Brief, files: Files): FoundFault[] {
  return readRequestedWork(blocks.get('issue') ?? '').guards.flatMap((guard) => {
    const path = guard.path ?? '';
    const source = files.get(path);
    if (source === undefined || hasGuard(source, guard)) return [];
    const text = `${guard.name} lets through what the issue wants refused: ${guardSentence(guard)}. Check it first, and test it.`;
    return [{ severity: 'MUST', file: path, line: lineOf(source, `export function ${guard.name}(`), text }];
  });
}

const nothingChanged = (output: string): FoundFault => ({
  severity: 'MUST',
  file: 'README.md',
  line: null,
  text: `The change is empty: ${output.slice(0, 200)}`,
});

/** Verify: each judged criterion, by the line that fulfils it. */
export function verify(brief: Brief, request: ModelRequest): MessageTurn {
  const judged = brief.criteria.filter((criterion) => criterion.judged);
  const wanted = judged.map(({ id, text }) => ({ id, guard: guardsIn(text)[0] ?? null }));
  const [seen] = bashResults(request);
  if (seen === undefined) return look(wanted.flatMap(({ guard }) => guard?.path ?? []));
  const { files } = looked(seen.text);
  const results = wanted.map(({ id, guard }) => ({ id, ...verdictOn(guard, files, brief) }));
  const given = brief.follows(RULES.verify.judgeAll) ? results : results.slice(1);
  return structured({ nonce: brief.nonce, results: given, handoff: handoff('Looked at each criterion in the code.') });
}

function verdictOn(
  guard: RequestedGuard | null,
  files: Files,
  { follows }: Brief,
): { readonly verdict: string; readonly evidence: string } {
  const { doubt, passEvidence, fail, failEvidence, believeNobody } = RULES.verify;
  if (guard === null)
    return follows(doubt)
      ? { verdict: 'UNCERTAIN', evidence: 'Somebody has to read this one.' }
      : { verdict: 'PASS', evidence: 'README.md:1 probably.' };
  const source = files.get(guard.path ?? '') ?? '';
  const line = lineOf(source, `if (${guard.condition}) throw new ${guard.error}`);
  if (hasGuard(source, guard))
    return { verdict: 'PASS', evidence: follows(passEvidence) ? `${guard.path}:${line} throws.` : 'It throws.' };
  if (!follows(believeNobody)) return { verdict: 'PASS', evidence: `${guard.path}:1, the author says so.` };
  const missing = `${guard.path} has no check for \`${guard.condition}\` in ${guard.name}.`;
  return { verdict: follows(fail) ? 'FAIL' : 'UNCERTAIN', evidence: follows(failEvidence) ? missing : '' };
}
