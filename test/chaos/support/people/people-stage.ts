import type { Size } from '../../../../src/domain/issue/size.js';
import { WORK_FILE } from '../../../support/agent/standard-agent.js';
import { CrashWorld } from '../crash/crash-world.js';
import { ACTION_NAMES, type ActionName, ACTIONS } from './actions.js';
import { playStory } from './play-story.js';
import type { Chapter, Story } from './story.js';

/** What is driven while people act. */
export interface PeopleScenario {
  readonly name: 'patch' | 'pr';
  readonly size: Size;
}

/** One commit straight onto base. */
export const PATCH: PeopleScenario = { name: 'patch', size: 'S' };

/** A pull request whose first version is sent back by the review. */
export const PULL: PeopleScenario = { name: 'pr', size: 'M' };

/** A boundary of the undisturbed run, and what people can do there. */
export interface Place {
  readonly chapter: number;
  readonly at: number;
  readonly name: string;
  readonly actions: readonly ActionName[];
}

export interface PeopleStage {
  readonly scenario: PeopleScenario;
  readonly world: CrashWorld;
  readonly chapters: readonly Chapter[];
  readonly places: readonly Place[];
  /** The run nobody disturbed. */
  readonly undisturbed: Story;
}

const BODY = `Write it down.\n\n- [ ] The work is done <!-- verify: file_contains ${WORK_FILE} done -->\n`;
const NOBODY = { steps: [], delivery: 'at once' } as const;

/** Plays the scenario undisturbed: once to cut it into chapters, and each chapter once more to find its boundaries. */
export async function openPeopleStage(scenario: PeopleScenario): Promise<PeopleStage> {
  const world = await CrashWorld.open({ body: BODY });
  await world.say('/auto');
  const chapters: Chapter[] = [{ frozen: await world.freeze(), queue: { jobs: [], due: [] } }];
  const [first] = chapters;
  if (first === undefined) throw new Error('there is no first chapter');
  const undisturbed = await playStory(world, {
    size: scenario.size,
    chapter: first,
    plan: NOBODY,
    onStart: async (chapter) => {
      chapters.push(await chapter());
      return true;
    },
  });
  const places: Place[] = [];
  for (const [index, chapter] of chapters.entries()) places.push(...(await placesOf(world, scenario, chapter, index)));
  return { scenario, world, chapters, places, undisturbed };
}

async function placesOf(
  world: CrashWorld,
  { size }: PeopleScenario,
  chapter: Chapter,
  index: number,
): Promise<readonly Place[]> {
  const places: Place[] = [];
  // All but the first chapter begin with the start of their own phase.
  let starts = index === 0 ? 1 : 0;
  await playStory(world, {
    size,
    chapter,
    plan: NOBODY,
    onBoundary: ({ name }, scene) => {
      const actions = ACTION_NAMES.filter((act) => ACTIONS[act].applies(scene));
      places.push({ chapter: index, at: places.length + 1, name, actions });
    },
    onStart: async () => {
      starts += 1;
      return starts < 2;
    },
  });
  return places;
}
