import { type ActionName, ACTION_NAMES, isActionName } from './actions.js';
import type { Plan, Step } from './story.js';
import type { Place, PeopleStage } from './people-stage.js';

/** One story to tell: from which chapter, and who does what where. */
export interface PeopleCase {
  readonly chapter: number;
  readonly plan: Plan;
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Every act at every boundary. */
export function allSingles({ places }: PeopleStage): readonly PeopleCase[] {
  return places.flatMap((place) => place.actions.map((act) => single(place, act)));
}

/**
 * Every act in turn at one kind of boundary after the other, `most` in all. In which order it comes to the kinds, and to which
 * boundary of each, is a matter of the seed.
 */
export function someSingles({ places }: PeopleStage, random: () => number, most: number): readonly PeopleCase[] {
  const kinds = new Map<string, { readonly place: Place; readonly act: ActionName }[]>();
  for (const place of places)
    for (const act of place.actions) {
      const kind = `${kindOf(place)} ${act}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), { place, act }]);
    }
  const drawn = [...kinds.values()].map((group) => ({ ...pick(group, random), order: random() }));
  drawn.sort((a, b) => a.order - b.order);
  const turns = drawn.map((one, index) => ({
    ...one,
    turn: drawn.slice(0, index).filter(({ act }) => act === one.act).length,
  }));
  turns.sort((a, b) => a.turn - b.turn);
  return turns.slice(0, most).map(({ place, act }) => single(place, act));
}

/**
 * What matters is what Sluice knows and what it is about to do: it looks, or shows what it knows, or writes its state with or without
 * work, or asks where a branch is, or merges, or an agent writes code, or an agent does something else.
 */
function kindOf({ name }: Place): string {
  if (name.endsWith('agent.run')) return name.startsWith('phase code') ? 'code' : 'agent';
  const call = name.split(': ')[1] ?? name;
  return SAME_KIND[call] ?? call;
}

const SAME_KIND: Readonly<Record<string, string>> = {
  'github.acknowledge': 'github.snapshot',
  'github.roleOf': 'github.snapshot',
  'github.react': 'github.project',
  'github.openPull': 'github.project',
  'gitHost.push': 'states.swap',
};

/** Most seconds are soon after the first: that is where they meet. */
const SOON = 6;
const MUCH_LATER = 40;

/** Two people: the second acts some steps after the first, whatever has become of the run by then. */
export function somePairs({ places }: PeopleStage, random: () => number, count: number): readonly PeopleCase[] {
  return Array.from({ length: count }, () => {
    const { chapter, at, actions } = pick(places, random);
    const later = 1 + Math.floor(random() * (random() < 0.7 ? SOON : MUCH_LATER));
    const steps: readonly Step[] = [
      { at, what: pick(actions, random) },
      { at: later, what: pick(ACTION_NAMES, random) },
    ];
    return { chapter, plan: { steps, delivery: random() < 0.75 ? 'at once' : 'by the sweep' } };
  });
}

/** Somebody acts, and the service is killed a few steps before or after. */
export function someCrashes({ places }: PeopleStage, random: () => number, count: number): readonly PeopleCase[] {
  return Array.from({ length: count }, () => {
    const { chapter, at, actions } = pick(places, random);
    const crash = random() < 0.5 ? 'crash' : 'crash-and-flush';
    const [act, later] = [pick(actions, random), 1 + Math.floor(random() * SOON)];
    const isActFirst = random() < 0.5;
    const steps: readonly Step[] = [
      { at, what: isActFirst ? act : crash },
      { at: later, what: isActFirst ? crash : act },
    ];
    return { chapter, plan: { steps, delivery: random() < 0.75 ? 'at once' : 'by the sweep' } };
  });
}

const single = ({ chapter, at }: Place, what: ActionName): PeopleCase => ({
  chapter,
  plan: { steps: [{ at, what }], delivery: 'at once' },
});

const SWEPT = '~swept';

/** E.g. `6/3/request-changes/4/dismiss`: the chapter, then for each step how many boundaries it waits for, and what is done. */
export function formatCase({ chapter, plan }: PeopleCase): string {
  const steps = plan.steps.map(({ at, what }) => `/${at}/${what}`).join('');
  return `${chapter}${steps}${plan.delivery === 'at once' ? '' : SWEPT}`;
}

export function parseCase(text: string): PeopleCase {
  const [chapter, ...words] = text.replace(SWEPT, '').split('/');
  const steps: Step[] = [];
  for (let index = 0; index < words.length; index += 2) {
    const [at, what] = [Number(words[index]), words[index + 1] ?? ''];
    if (!isActionName(what) && what !== 'crash' && what !== 'crash-and-flush') throw new Error(`nobody can ${what}`);
    steps.push({ at, what });
  }
  return { chapter: Number(chapter), plan: { steps, delivery: text.endsWith(SWEPT) ? 'by the sweep' : 'at once' } };
}

function pick<T>(list: readonly T[], random: () => number): T {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error('there is nothing to choose from');
  return one;
}
