import type { Happening } from '../happening.js';
import type { Transition } from '../state.js';
import { count } from './figures.js';
import type { StatusView } from './status-view.js';

/** What did not go straight, for whoever wants to know why it took so long. Nothing when nothing was unusual. */
export function retrospective({
  story,
  verifyIteration,
}: Pick<StatusView, 'story' | 'verifyIteration'>): readonly string[] {
  const times = (what: Happening): number => story.filter((one) => one.what === what).length;
  const resized = story.find(({ because }) => / became (?:XS|S|M|L|XL)$/.test(because));
  const lines = [
    ...told(interruptions(story), 'a phase was taken up again after an interruption'),
    ...told(times('failed'), 'a result was not good enough, and was tried again'),
    ...told(times('slice'), 'the work did not fit into one run, and went on in another'),
    ...told(times('never-ran'), 'the model could not be reached, and the attempt was given back'),
    ...told(times('stopped'), 'a run was cut off, and its work kept'),
    ...told(times('fix-checks'), 'CI failed'),
    ...told(times('fix-conflict'), 'the branch conflicted with its base'),
    ...told(times('fix-review'), 'the review asked for changes'),
    ...told(times('fix-people'), 'a person asked for changes'),
    ...told(verifyIteration.now, 'criteria did not hold after landing, and the work was done again'),
    ...(resized === undefined ? [] : [`- Another way than at first: ${resized.because.split(', ').at(-1)}`]),
  ];
  return lines.length === 0 ? [] : ['', '**Notable events**', '', ...lines];
}

const told = (times: number, what: string): readonly string[] => {
  if (times === 0) return [];
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return [times === 1 ? `- ${sentence}` : `- ${count(times, 'time')}: ${what}`];
};

/** Phase runs that were begun and never ended: whoever ran them died, or lost the issue to somebody else. */
function interruptions(story: readonly Transition[]): number {
  const runs = story.filter(({ what, ms }) => what === 'taken' || ms !== undefined);
  return runs.filter(({ what }, at) => what === 'taken' && runs[at + 1]?.what === 'taken').length;
}
