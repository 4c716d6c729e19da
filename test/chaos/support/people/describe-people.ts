import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatCase, parseCase, type PeopleCase } from './cases.js';
import { brokenPromises } from './oracle.js';
import { playStory } from './play-story.js';
import type { Story } from './story.js';
import { openPeopleStage, type PeopleScenario, type PeopleStage } from './people-stage.js';
import { LIMIT_MS } from '../crash/describe-crashes.js';

/** Which scenarios run, from which seeds. */
export interface PeopleSuite {
  readonly title: string;
  readonly cases: (stage: PeopleStage, seed: number) => readonly PeopleCase[];
}

/** Names one scenario to run alone, e.g. `SLUICE_CASE=pr/6/10/request-changes`. */
const ONLY = process.env['SLUICE_CASE'];

/** Lets people act at the boundaries of a scenario and wants every promise kept. */
export function describePeople(
  scenario: PeopleScenario,
  suites: readonly PeopleSuite[],
  seeds: readonly number[],
): void {
  describe(`people in the ${scenario.name} scenario`, () => {
    const made: PeopleStage[] = [];
    const stage = (): PeopleStage => {
      const [first] = made;
      if (first === undefined) throw new Error('there is no stage');
      return first;
    };
    beforeAll(async () => {
      made.push(await openPeopleStage(scenario));
    }, LIMIT_MS);
    afterAll(async () => {
      for (const { world } of made) await world.close();
    });

    test('undisturbed it ends verified, and every promise is kept', async () => {
      const { undisturbed } = stage();
      expect(undisturbed.action?.because).toBe('landed and verified');
      expect(undisturbed.landings).toHaveLength(1);
      // The world has moved on since; what is judged is what happened.
      expect(undisturbed.landings.flatMap(({ against }) => against)).toEqual([]);
    });

    const runs = suites.flatMap((suite) => seeds.map((seed) => ({ title: suite.title, seed, suite })));
    test.each(runs)(
      '$title, seed $seed: nothing is lost, nobody is overruled, every reason is true',
      async ({ suite, seed }) => {
        const cases = suite.cases(stage(), seed).filter(isWanted(scenario));
        const failures: string[] = [];
        const before = process.cpuUsage();
        for (const one of cases) failures.push(...(await failuresOf(stage(), one, seed)));
        const { user, system } = process.cpuUsage(before);
        const told = `${cases.length} stories, ${Math.round((user + system) / 1e6)} s of CPU`;
        process.stderr.write(`people, ${scenario.name}, ${suite.title}, seed ${seed}: ${told}\n`);
        expect(failures).toEqual([]);
      },
      LIMIT_MS,
    );

    if (ONLY?.startsWith(`${scenario.name}/`) === true)
      test(
        `the story ${ONLY}`,
        async () => {
          const failures = await failuresOf(stage(), parseCase(ONLY.slice(scenario.name.length + 1)), 0);
          expect(failures).toEqual([]);
        },
        LIMIT_MS,
      );
  });
}

const isWanted =
  ({ name }: PeopleScenario) =>
  (one: PeopleCase): boolean =>
    ONLY === undefined || ONLY === `${name}/${formatCase(one)}`;

/** How much of what happened is shown. */
const TAIL = 40;

async function failuresOf(
  { scenario, world, chapters }: PeopleStage,
  one: PeopleCase,
  seed: number,
): Promise<readonly string[]> {
  const chapter = chapters[one.chapter];
  if (chapter === undefined) throw new Error(`there is no chapter ${one.chapter}`);
  const story = await playStory(world, { size: scenario.size, chapter, plan: one.plan });
  const isTold = one.plan.steps.length > 1 || story.done.length > 0;
  const broken = [...(await brokenPromises(story)), ...(isTold ? [] : ['GENERATOR nobody did anything'])];
  if (broken.length === 0) return [];
  const name = `${scenario.name}/${formatCase(one)}`;
  process.stderr.write(`${report(name, seed, broken, story)}\n`);
  return [`${name}: ${broken.join('; ')}`];
}

function report(name: string, seed: number, broken: readonly string[], { done, trace, log }: Story): string {
  const said = log.lines.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`);
  return [
    `FAILED ${name} (seed ${seed}); alone: SLUICE_CASE=${name}`,
    ...done.map((step) => `  did ${step}`),
    ...broken.map((one) => `  ${one}`),
    ...trace.slice(-TAIL).map((line) => `    ${line}`),
    ...said.slice(-15).map((line) => `    log: ${line.slice(0, 240)}`),
  ].join('\n');
}
