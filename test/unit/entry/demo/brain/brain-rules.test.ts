import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FixRequest, Triage } from '../../../../../src/domain/state/state.js';
import { RULES } from '../../../../../src/entry/demo/brain/rules.js';
import { judgeCode, renderCode } from '../../../../../src/usecases/phases/code/judge-code.js';
import { judgeIssue, renderIssue } from '../../../../../src/usecases/phases/issue/judge-issue.js';
import { judgeReview, renderReview } from '../../../../../src/usecases/phases/review/judge-review.js';
import { judgeSpec, renderSpec } from '../../../../../src/usecases/phases/spec/judge-spec.js';
import { judgeVerify, renderVerify } from '../../../../../src/usecases/phases/verify/judge-verify.js';
import { type Checkout, checkoutSeeder, answerAsCli } from './brain-harness.js';
import { DemoIssuePhases } from './demo-issue-phases.js';

/* What the skills say decides what comes out: each rule is turned round once, and the outcome has to change. */

type Skill = keyof typeof RULES;
/** What a phase comes to under a skill with this text. */
type Scene = (skillText: string) => Promise<unknown>;

interface Row {
  /** What the skill says in place of the rule. */
  readonly inverted: string;
  readonly scene: keyof typeof SCENES;
  /** What comes of that, and does not come of the rule. */
  readonly outcome: object;
}

type Rows = { readonly [S in Skill]: Readonly<Record<keyof (typeof RULES)[S], Row>> };

const newCheckout = checkoutSeeder('once');
const skillText = (skill: Skill): string => readFileSync(resolve('skills', skill, 'SKILL.md'), 'utf8');

/** Issue 1 is S, a bug; 2 is M, a feature; 4 is L. Each commit is one the brain made under the skills as they are. */
const world = {} as {
  checkout: Checkout;
  base: string;
  bug: { story: DemoIssuePhases; triage: Triage };
  feature: { story: DemoIssuePhases; triage: Triage; faulty: string; clean: string; fix: FixRequest };
  large: { story: DemoIssuePhases; triage: Triage };
  /** The base after somebody changed the lines the work changes, too. */
  moved: string;
};

beforeAll(async () => {
  const checkout = await newCheckout();
  const base = await checkout.head();
  const tell = async (number: number) => {
    const story = await DemoIssuePhases.begin(
      number,
      checkout,
      async (prompt) => (await answerAsCli(checkout, prompt)).result,
    );
    return { story, triage: await story.triage() };
  };
  const [bug, feature, large] = [await tell(1), await tell(2), await tell(4)];
  await feature.story.code(feature.triage, null);
  const faulty = await checkout.head();
  const fix = DemoIssuePhases.fixFor(await feature.story.review(feature.triage, null));
  await feature.story.code(feature.triage, null, fix);
  const clean = await checkout.head();
  await checkout.git('checkout', '--quiet', '--detach', base);
  await writeFile(join(checkout.path, 'README.md'), '# tideline\n\nThe base says this.\n');
  await checkout.git('commit', '--quiet', '-am', 'Say less');
  const moved = await checkout.head();
  Object.assign(world, { checkout, base, bug, large, moved, feature: { ...feature, faulty, clean, fix } });
}, 60_000);

async function at(commit: string): Promise<void> {
  await world.checkout.git('checkout', '--quiet', '--force', '--detach', commit);
  await world.checkout.git('clean', '--quiet', '-fd');
  await rm(join(world.checkout.path, '.git/info/attributes'), { force: true });
}

const issue =
  (of: 'bug' | 'feature'): Scene =>
  async (text) => {
    await at(world.base);
    const { context } = world[of].story;
    return judgeIssue((await answerAsCli(world.checkout, renderIssue(context), text)).result, context);
  };

const spec =
  (of: 'feature' | 'large', size: Triage['size']): Scene =>
  async (text) => {
    await at(world.base);
    const { story, triage } = world[of];
    const prompt = renderSpec({ ...story.context, triage: { ...triage, size }, size });
    return judgeSpec((await answerAsCli(world.checkout, prompt, text)).result, { triage: { ...triage, size } });
  };

/** The judgement, and the files that differ from where it began. */
const code =
  (of: 'bug' | 'feature', fixes = false): Scene =>
  async (text) => {
    const { checkout, feature } = world;
    const start = fixes ? feature.faulty : world.base;
    await at(start);
    const { story, triage } = world[of];
    const context = { ...story.context, test: 'true', triage, spec: null, start, aside: [], held: [] };
    const fix = fixes ? feature.fix : null;
    const prompt = renderCode({ ...context, route: of === 'bug' ? 'patch' : 'pr', fix });
    const { result } = await answerAsCli(checkout, prompt, text);
    const head = await checkout.head();
    // The suite is the brain's own business elsewhere; here it would only take time.
    const criteria = triage.criteria.filter(({ verify: command }) => command?.kind === 'grep');
    const results = await story.on(world.base).results({ ...triage, criteria });
    const judgement = judgeCode(result, { commit: head === start ? null : head, test: null, results });
    return { kind: judgement.kind, files: await checkout.git('diff', '--name-only', start, 'HEAD') };
  };

const merge: Scene = async (text) => {
  const { checkout, moved, feature } = world;
  await at(feature.clean);
  const { context } = feature.story.on(moved);
  const fix: FixRequest = { source: 'conflict', head: feature.clean, items: ['conflicts with main'] };
  const asked = {
    ...context,
    triage: feature.triage,
    spec: null,
    start: feature.clean,
    fix,
    aside: [],
    held: [],
  } as const;
  const { result } = await answerAsCli(checkout, renderCode({ ...asked, route: 'pr' }), text);
  const readme = await checkout.git('show', 'HEAD:README.md');
  return {
    isBlocked: (result as { blocked: unknown }).blocked !== null,
    hasCommit: (await checkout.head()) !== feature.clean,
    isMerge: (await checkout.git('log', '--format=%P', '-1')).split(' ').length === 2,
    hasWork: readme.includes('untilLowWater'),
    hasBase: readme.includes('The base says this.'),
    hasMarkers: readme.includes('<<<<<<<'),
    hasScratch: (await checkout.git('ls-tree', '--name-only', 'HEAD')).includes('scratch.txt'),
  };
};

const review =
  (of: 'faulty' | 'clean'): Scene =>
  async (text) => {
    const { feature, checkout } = world;
    await at(feature[of]);
    const asked = { ...feature.story.context, triage: feature.triage, spec: null, earlier: [], results: [] };
    const prompt = renderReview({ ...asked, depth: 'light', head: feature[of] });
    return judgeReview((await answerAsCli(checkout, prompt, text)).result, { head: feature[of], results: [] });
  };

/** The verdicts on what only a reader can tell: one about the code, one nobody here understands. */
const verify =
  (of: 'faulty' | 'clean'): Scene =>
  async (text) => {
    const { feature, checkout } = world;
    await at(feature[of]);
    const vague = { id: 'c9', text: 'The guide reads well', verify: null, stage: 'pre-merge' } as const;
    const judged = feature.triage.criteria.filter((criterion) => criterion.verify === null);
    const triage = { ...feature.triage, criteria: [...judged, vague] };
    const prompt = renderVerify({ ...feature.story.context, triage, oid: feature[of], results: [] });
    const judgement = judgeVerify((await answerAsCli(checkout, prompt, text)).result, { triage, results: [] });
    if (judgement.kind !== 'accepted') return judgement;
    return { kind: judgement.kind, verdicts: judgement.value.map(({ verdict }) => verdict).join(' ') };
  };

const SCENES = {
  'issue feature': issue('feature'),
  'issue bug': issue('bug'),
  'spec feature M': spec('feature', 'M'),
  'spec large S': spec('large', 'S'),
  'code bug': code('bug'),
  'code feature': code('feature'),
  'code feature true': code('feature', true),
  merge: merge,
  'review faulty': review('faulty'),
  'review clean': review('clean'),
  'verify clean': verify('clean'),
  'verify faulty': verify('faulty'),
} satisfies Record<string, Scene>;

/** What comes of the skills as they are; the same for every rule that is tried in that scene. */
const usual = new Map<keyof typeof SCENES, Promise<unknown>>();

async function usualOutcome(scene: keyof typeof SCENES, text: string): Promise<unknown> {
  const known = usual.get(scene) ?? SCENES[scene](text);
  usual.set(scene, known);
  return known;
}

const WITHOUT_TEST = expect.not.stringContaining('test/');

const ROWS: Rows = {
  issue: {
    countAllFiles: {
      inverted: 'Count the files of code that will have to change, not tests and documentation.',
      scene: 'issue feature',
      outcome: { value: { size: 'S' } },
    },
    takeTheLarger: {
      inverted: 'The size decides how much checking the work gets: when two fit, take the smaller.',
      scene: 'issue bug',
      outcome: { value: { size: 'XS' } },
    },
    knowBugs: {
      inverted: '`bug`: the author is angry.',
      scene: 'issue bug',
      outcome: { value: { type: 'task' } },
    },
    testsPass: {
      inverted: 'If the repository has tests, no criterion is about them.',
      scene: 'issue feature',
      outcome: {
        value: { criteria: expect.not.arrayContaining([expect.objectContaining({ text: 'All tests pass' })]) },
      },
    },
    checkBeforeMerge: {
      inverted: '`stage` is `post-merge` for everything, which is simpler.',
      scene: 'issue feature',
      outcome: { kind: 'rejected', reasons: [expect.stringContaining('There is no pre-merge criterion')] },
    },
    decideSmallThings: {
      inverted: 'Ask about small things, too.',
      scene: 'issue bug',
      outcome: { kind: 'needs-human' },
    },
  },
  spec: {
    nameAllFiles: {
      inverted: '**Files**: the paths of the code, without tests and documentation.',
      scene: 'spec feature M',
      outcome: { value: { spec: { files: ['src/tide.js'] } } },
    },
    nameCriteria: {
      inverted: 'Leave the criteria of a step open.',
      scene: 'spec feature M',
      outcome: { kind: 'rejected', reasons: expect.arrayContaining([expect.stringContaining('No step serves c1')]) },
    },
    serveAll: {
      inverted: 'A step for the first criterion is enough.',
      scene: 'spec feature M',
      outcome: { kind: 'rejected', reasons: expect.arrayContaining([expect.stringContaining('No step serves c2')]) },
    },
    correctSize: {
      inverted: '**Size**: `null`, whatever your list of files shows',
      scene: 'spec large S',
      outcome: { kind: 'accepted', value: { size: null } },
    },
    goOn: {
      inverted: '`blocked` says what you would like to be sure of.',
      scene: 'spec feature M',
      outcome: { kind: 'needs-human' },
    },
    neverWorkflows: {
      inverted: 'Leave `.github/workflows` as it is when it could be improved.',
      scene: 'spec feature M',
      outcome: { kind: 'rejected', reasons: [expect.stringContaining('workflows are changed by people only')] },
    },
  },
  code: {
    testFirst: {
      inverted: 'In one step: the change. Tests can come later.',
      scene: 'code bug',
      outcome: { files: WITHOUT_TEST },
    },
    coverEdges: {
      inverted: 'Leave edge cases to others.',
      scene: 'code bug',
      outcome: { kind: 'rejected' },
    },
    document: {
      inverted: 'Documentation is left as it is.',
      scene: 'code feature',
      outcome: { files: expect.not.stringContaining('README.md') },
    },
    commit: {
      inverted: 'Leave the work in the working tree',
      scene: 'code bug',
      outcome: { kind: 'rejected', files: '' },
    },
    onlyWhatBelongs: {
      inverted: 'Scratch files may stay.',
      scene: 'code bug',
      outcome: { files: expect.stringContaining('scratch.txt') },
    },
    fixEverything: {
      inverted: 'deal with `fix` if there is time.',
      scene: 'code feature true',
      outcome: { kind: 'rejected', files: '' },
    },
    goOn: {
      inverted: 'Hard is blocked.',
      scene: 'code bug',
      outcome: { kind: 'needs-human' },
    },
  },
  merge: {
    mergeCommit: {
      inverted: '`git merge --squash BASE`.',
      scene: 'merge',
      outcome: { hasCommit: true, isMerge: false },
    },
    keepBoth: {
      inverted: 'Keep the intent of the work: what the base changed gives way to it.',
      scene: 'merge',
      outcome: { hasWork: true, hasBase: false },
    },
    noMarkers: {
      inverted: 'Conflict markers may stay.',
      scene: 'merge',
      outcome: { hasMarkers: true },
    },
    commit: {
      inverted: 'Leave the merge uncommitted.',
      scene: 'merge',
      outcome: { hasCommit: false },
    },
    goOn: {
      inverted: 'Always ask a person which side it should be.',
      scene: 'merge',
      outcome: { isBlocked: true },
    },
    nothingElse: {
      inverted: 'Leave other files alone when they could be improved.',
      scene: 'merge',
      outcome: { hasScratch: true },
    },
  },
  review: {
    checkRequirements: {
      inverted: 'Trust that the criteria are met.',
      scene: 'review faulty',
      outcome: { value: { verdict: 'pass', findings: [] } },
    },
    must: {
      inverted: '`MUST`: the build is on fire.',
      scene: 'review faulty',
      outcome: { value: { findings: expect.arrayContaining([expect.objectContaining({ severity: 'CONSIDER' })]) } },
    },
    oneAtItsLine: {
      inverted: 'Say everything twice, and once without its line.',
      scene: 'review faulty',
      outcome: { value: { findings: [{ line: null }, { line: 6 }] } },
    },
    evidence: {
      inverted: 'Scores need no evidence.',
      scene: 'review clean',
      outcome: { kind: 'rejected', reasons: expect.arrayContaining([expect.stringContaining('D6')]) },
    },
    lowScore: {
      inverted: 'Scores are high whatever was found.',
      scene: 'review faulty',
      outcome: { value: { verdict: 'fix', score: 0.95 } },
    },
    inventNothing: {
      inverted: 'Come back without a finding.',
      scene: 'review clean',
      outcome: { value: { verdict: 'fix' } },
    },
  },
  verify: {
    passEvidence: {
      inverted: 'The evidence is that you say so.',
      scene: 'verify clean',
      outcome: { kind: 'rejected', reasons: [expect.stringContaining('cites neither')] },
    },
    fail: {
      inverted: '`FAIL`: not used.',
      scene: 'verify faulty',
      outcome: { verdicts: 'UNCERTAIN UNCERTAIN' },
    },
    failEvidence: {
      inverted: 'The evidence can be left out.',
      scene: 'verify faulty',
      outcome: { kind: 'rejected', reasons: [expect.stringContaining('without evidence')] },
    },
    doubt: {
      inverted: 'Between `PASS` and anything else, doubt decides for `PASS`.',
      scene: 'verify clean',
      outcome: { verdicts: 'PASS PASS' },
    },
    believeNobody: {
      inverted: 'Doubt what the author says.',
      scene: 'verify faulty',
      outcome: { verdicts: 'PASS UNCERTAIN' },
    },
    judgeAll: {
      inverted: '`results`: `{ id, verdict, evidence }` for the criteria you like.',
      scene: 'verify clean',
      outcome: { kind: 'rejected', reasons: [expect.stringContaining('has no verdict')] },
    },
  },
};

/** Finds a sentence however its lines are broken. */
function sentence(words: string): RegExp {
  const escaped = words.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(escaped.join(String.raw`\s+`), 'g');
}

describe.each(Object.keys(RULES) as Skill[])('the skill %s', (skill) => {
  const rules = Object.entries<string>(RULES[skill]);
  const rows = ROWS[skill] as Readonly<Record<string, Row>>;

  test('has at least five rules the brain lives by, each once and word for word', () => {
    expect(rules.length).toBeGreaterThanOrEqual(5);
    const counts = rules.map(([, rule]) => [rule, skillText(skill).match(sentence(rule))?.length ?? 0]);
    expect(counts).toEqual(rules.map(([, rule]) => [rule, 1]));
  });

  test.each(rules)('%s: turned round, it shows', async (name, rule) => {
    const row = rows[name];
    if (row === undefined) throw new Error(`there is no row for ${name}`);
    const text = skillText(skill);
    expect(await usualOutcome(row.scene, text)).not.toMatchObject(row.outcome);
    const inverted = text.replace(sentence(rule), () => row.inverted);
    expect(await SCENES[row.scene](inverted)).toMatchObject(row.outcome);
  });
});
