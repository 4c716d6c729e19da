import { bash, edit, type MessageTurn, type ModelRequest, say, structured, together, write } from '#scripted-claude';
import type { Brief } from './brief.js';
import { handoff } from './handoff.js';
import { bashResults, look, looked } from './show-files.js';
import { RULES } from './rules.js';
import { fulfil } from './source.js';
import { filesOf, guardsIn, readRequestedWork, type RequestedWork, type RequestedGuard } from './requested-work.js';

/** Code: look, write, test and commit, report. */
export function code(brief: Brief, request: ModelRequest): MessageTurn {
  const work = readRequestedWork(brief.blocks.get('issue') ?? '');
  const isFix = brief.facts.has('This is a fix');
  const items = brief.blocks.get('fix') ?? '';
  if (isFix && items === '') return say('I am to fix something, and nothing says what. I cannot go on.');
  const [seen, tested] = bashResults(request);
  if (seen === undefined) return together(say('First I look at what is there.'), look(filesOf(work)));
  const changes = changesFor(work, brief, { seen: seen.text, items: isFix ? items : null });
  const changed = [...changes.keys()];
  if (tested === undefined && changes.size > 0) {
    const written = request.toolResults.some(({ tool }) => tool === 'Write' || tool === 'Edit');
    return written ? testAndCommit(brief, isFix) : writeAll(work, changes);
  }
  return structured({
    nonce: brief.nonce,
    title: titleOf(brief),
    summary: isFix ? `Dealt with:\n\n${items}` : `Changed ${changed.join(', ')}.`,
    blocked: brief.follows(RULES.code.goOn) ? null : 'This is hard.',
    handoff: handoff(isFix ? 'Fixed what was found.' : 'Implemented the issue.', {
      files: changed,
      testStatus: tested === undefined ? 'not-run' : tested.isError ? 'failed' : 'passed',
    }),
  });
}

function changesFor(
  work: RequestedWork,
  brief: Brief,
  { seen, items }: { readonly seen: string; readonly items: string | null },
): ReadonlyMap<string, string> {
  const { follows } = brief;
  if (items !== null && !follows(RULES.code.fixEverything)) return new Map();
  const changes = fulfil(work, {
    ...looked(seen),
    guards: follows(RULES.code.coverEdges) ? guardsToWrite(work, brief, items) : [],
    withTests: follows(RULES.code.testFirst),
    withDocuments: follows(RULES.code.document),
  });
  return follows(RULES.code.onlyWhatBelongs) ? changes : new Map([...changes, ['scratch.txt', 'To do: tidy up.\n']]);
}

/**
 * On a pull request the brain first forgets what no command checks, so that the review finds it. A fix adds the functions the findings
 * name. Without names, or not from a review, it adds everything.
 */
function guardsToWrite(work: RequestedWork, brief: Brief, items: string | null): readonly RequestedGuard[] {
  if (items === null) {
    if (brief.facts.get('Work lands as') !== 'a pull request') return work.guards;
    const judged = new Set(
      brief.criteria
        .filter(({ judged }) => judged)
        .flatMap(({ text }) => guardsIn(text))
        .map(({ name }) => name),
    );
    return work.guards.filter(({ name }) => !judged.has(name));
  }
  const named = work.guards.filter(({ name }) => items.includes(name));
  return named.length > 0 || brief.facts.get('This is a fix')?.startsWith('review ') === true ? named : work.guards;
}

function writeAll(work: RequestedWork, changes: ReadonlyMap<string, string>): MessageTurn {
  const replaced = new Map(work.replacements.map((replacement) => [replacement.path, replacement]));
  const turns = [...changes].map(([path, text]) => {
    const replacement = replaced.get(path);
    return replacement === undefined ? write(path, text) : edit(path, replacement.old, replacement.new);
  });
  return together(say('Now I write it.'), ...turns);
}

function testAndCommit(brief: Brief, isFix: boolean): MessageTurn {
  const test = brief.facts.get('Test command') ?? '';
  const command = test === '' || test.startsWith('none configured') ? 'true' : test;
  const subject = isFix ? `Fix what was found: ${titleOf(brief)}` : titleOf(brief);
  if (!brief.follows(RULES.code.commit)) return bash(command);
  return bash(`${command} && git add -A && git commit -q -m '${subject.replaceAll("'", '’')}'`);
}

function titleOf({ blocks, issue }: Brief): string {
  return (/^Title: (.*)$/m.exec(blocks.get('issue') ?? '')?.[1] ?? `Work on ${issue}`).slice(0, 90);
}

/** Resolves conflicts with the base by keeping the lines of both. */
export function merge(brief: Brief, request: ModelRequest): MessageTurn {
  const base = / at ([0-9a-f]{7,64})$/.exec(brief.facts.get('Base branch') ?? '')?.[1] ?? '';
  const [merged] = bashResults(request);
  if (merged === undefined) return bash(mergeCommand(base, brief));
  return structured({
    nonce: brief.nonce,
    title: titleOf(brief),
    summary: `Merged ${base} into the work.`,
    blocked: obstacle(merged, brief),
    handoff: handoff('Merged the base branch.'),
  });
}

function obstacle(merged: { readonly text: string; readonly isError: boolean }, { follows }: Brief): string | null {
  if (merged.isError) return `The merge did not work: ${merged.text.slice(0, 300)}`;
  return follows(RULES.merge.goOn) ? null : 'Which of the two sides should it be?';
}

function mergeCommand(base: string, { follows }: Brief): string {
  const { keepBoth, noMarkers, mergeCommit, commit, nothingElse } = RULES.merge;
  const isUnion = follows(keepBoth) && follows(noMarkers);
  const kind = follows(mergeCommit) ? '--no-ff' : '--squash';
  const side = follows(keepBoth) ? '' : '-X ours ';
  const message = `Merge ${base.slice(0, 12)}: where both sides had changed the same lines, both are kept`;
  return [
    ...(isUnion ? ["echo '* merge=union' > .git/info/attributes"] : []),
    `{ git merge ${kind} --no-commit ${side}${base} || ${follows(noMarkers) ? 'false' : 'true'}; }`,
    ...(follows(nothingElse) ? [] : ['echo "To do: tidy up." > scratch.txt']),
    ...(follows(commit) ? [`git add -A && git commit -q -m '${message}'`] : []),
  ].join(' && ');
}
