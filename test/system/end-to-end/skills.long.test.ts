import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type DemoHarness, openDemoHarness } from '../../support/service/demo-harness.js';
import { ROOT } from '../../support/source-files.js';

/* The scripted model answers from its prompt alone, so the product's own words have to be in it. */

const M_ISSUE = 2;

/** The machine with a product of its own, in which this skill has no words. */
async function withBlank(
  skill: string,
  task: (harness: DemoHarness) => Promise<void>,
  patienceMs?: number,
): Promise<void> {
  const product = await mkdtemp(join(tmpdir(), 'blank-skill-'));
  for (const part of ['.claude-plugin', 'skills']) await cp(join(ROOT, part), join(product, part), { recursive: true });
  await writeFile(join(product, 'skills', skill, 'SKILL.md'), `---\nname: ${skill}\ndescription: ${skill}\n---\n`);
  const harness = await openDemoHarness({ product, limits: { maxFailures: 1 } }, patienceMs);
  try {
    await task(harness);
  } finally {
    await harness.world.close();
    await rm(product, { recursive: true });
  }
}

describe('without the words of its skill', () => {
  test.each(['issue', 'spec', 'code', 'review', 'verify'])('%s gets nowhere', (skill) =>
    withBlank(skill, async (harness) => {
      await harness.drive(M_ISSUE);
      const facts = await harness.facts(M_ISSUE);
      expect(facts.state).toBe('open');
      expect(facts.labels).toEqual(expect.arrayContaining(['auto/failed', `phase/${skill}`]));
    }),
  );
});

describe('with a conflict on the base branch', () => {
  // One more round of everything than a pull request usually takes.
  const PATIENCE_MS = 230_000;
  const LIMIT_MS = 240_000;
  const FILE = 'src/tide.js';
  const THEIRS = 'export const HOURS_OF_A_DAY = 24;';

  async function textOnBase({ person, at }: DemoHarness): Promise<{ readonly sha: string; readonly text: string }> {
    const { data } = await person.rest.repos.getContent({ ...at, path: FILE });
    if (Array.isArray(data) || data.type !== 'file') throw new Error(`${FILE} is no file`);
    return { sha: data.sha, text: Buffer.from(data.content, 'base64').toString() };
  }

  /** Once there is a pull request, a person lands a line where the work has its own. */
  async function driveThroughConflict(harness: DemoHarness): Promise<void> {
    await Promise.all([harness.drive(M_ISSUE), landTheirs(harness)]);
  }

  async function landTheirs(harness: DemoHarness): Promise<void> {
    await harness.until(async () => (await harness.facts(M_ISSUE)).pulls.length > 0);
    const { sha, text } = await textOnBase(harness);
    const content = Buffer.from(`${text}\n${THEIRS}\n`).toString('base64');
    const change = { path: FILE, sha, content, message: 'Name the hours of a day' };
    await harness.person.rest.repos.createOrUpdateFileContents({ ...harness.at, ...change });
  }

  test(
    'the merge skill brings both together',
    async () => {
      const harness = await openDemoHarness({}, PATIENCE_MS);
      try {
        await driveThroughConflict(harness);
        expect(await harness.facts(M_ISSUE)).toMatchObject({ state: 'closed', pulls: [{ merged: true }] });
        const { text } = await textOnBase(harness);
        expect(text).toContain(THEIRS);
        expect(text).toContain('export function untilLowWater(');
      } finally {
        await harness.world.close();
      }
    },
    LIMIT_MS,
  );

  test(
    'without its words, the merge skill gets nowhere',
    () =>
      withBlank(
        'merge',
        async (harness) => {
          await driveThroughConflict(harness);
          const facts = await harness.facts(M_ISSUE);
          expect(facts).toMatchObject({ state: 'open', pulls: [{ merged: false }] });
          expect(facts.labels).toEqual(expect.arrayContaining(['auto/failed', 'phase/code']));
        },
        PATIENCE_MS,
      ),
    LIMIT_MS,
  );
});
