import type { ModelRequest } from '../protocol/model-request.js';
import { bash, say, structured, together } from '../script/say.js';
import type { MessageTurn } from '../script/turn.js';
import type { Brief } from './brief.js';
import { handoff } from './handoff.js';
import { bashResults, lineOf, look, looked } from './look.js';
import { hasGuard, type Files } from './source.js';
import { guardSentence, guardsIn, readWish } from './wish.js';

/** Review: the diff, then the files it changed, then what is missing. */
export function review(brief: Brief, request: ModelRequest): MessageTurn {
  const [diff, seen] = bashResults(request);
  const command = brief.facts.get('The change') ?? '';
  if (diff === undefined) return together(say('I read the change.'), bash(command));
  const changed = [...diff.text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path);
  if (seen === undefined) return look(changed);
  const { files } = looked(seen.text);
  const findings = [...missingGuards(brief, files), ...(changed.length === 0 ? [nothingChanged(diff.text)] : [])];
  const wrong = findings.length > 0;
  const where = changed.map((path) => `${path}:1`).join(', ') || `\`${command}\` exit code 0, and nothing to see`;
  const good = { score: 0.95, evidence: `Read ${where}.` };
  const doubtful = {
    score: 0.6,
    evidence: findings.map(({ file, line }) => `${file}:${line ?? 1}`).join(', ') || where,
  };
  return structured({
    nonce: brief.nonce,
    summary: wrong ? 'Part of what the issue asks for is missing.' : 'Does what the issue asks for, with tests.',
    findings,
    scores: { d1: wrong ? doubtful : good, d2: good, d3: wrong ? doubtful : good, d4: good, d5: good, d6: good },
    handoff: handoff(`Reviewed ${changed.length} files.`, { files: changed }),
  });
}

interface FoundFault {
  readonly severity: 'MUST';
  readonly file: string;
  readonly line: number | null;
  readonly text: string;
}

/** What the issue wants refused and the changed code lets through. */
function missingGuards({ blocks }: Brief, files: Files): FoundFault[] {
  return readWish(blocks.get('issue') ?? '').guards.flatMap((guard) => {
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
  const results = wanted.map(({ id, guard }) => {
    const source = files.get(guard?.path ?? '') ?? '';
    if (guard === null) return { id, verdict: 'UNCERTAIN', evidence: 'Somebody has to read this one.' };
    const line = lineOf(source, `if (${guard.condition}) throw new ${guard.error}`);
    return hasGuard(source, guard)
      ? { id, verdict: 'PASS', evidence: `${guard.path}:${line} throws.` }
      : { id, verdict: 'FAIL', evidence: `${guard.path} has no check for \`${guard.condition}\` in ${guard.name}.` };
  });
  return structured({ nonce: brief.nonce, results, handoff: handoff('Looked at each criterion in the code.') });
}
