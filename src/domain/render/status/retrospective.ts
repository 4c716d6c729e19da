import type { TransitionKind } from '../../state/transition-kind.js';
import type { Transition } from '../../state/state.js';
import { formatCount } from '../phrases/figures.js';
import type { StatusView } from './status-view.js';

/** Notable events, for readers who want to know why a run took so long. Empty when there were none. */
export function retrospective({
  transitions,
  verifyIteration,
}: Pick<StatusView, 'transitions' | 'verifyIteration'>): readonly string[] {
  const times = (kind: TransitionKind): number => transitions.filter((one) => one.kind === kind).length;
  const resized = transitions.find(({ because }) => / became (?:XS|S|M|L|XL)$/.test(because));
  const lines = [
    ...countedLine(interruptions(transitions), 'a phase was taken up again after an interruption'),
    ...countedLine(times('failed'), 'a result was not good enough, and was tried again'),
    ...countedLine(times('partial'), 'the work did not fit into one run, and went on in another'),
    ...countedLine(times('never-ran'), 'the model could not be reached, and the attempt was given back'),
    ...countedLine(times('stopped'), 'a run was cut off, and its work kept'),
    ...countedLine(times('fix-checks'), 'CI failed'),
    ...countedLine(times('fix-conflict'), 'the branch conflicted with its base'),
    ...countedLine(times('fix-review'), 'the review asked for changes'),
    ...countedLine(times('fix-people'), 'a person asked for changes'),
    ...countedLine(verifyIteration.now, 'criteria did not hold after landing, and the work was done again'),
    ...(resized === undefined ? [] : [`- Another way than at first: ${resized.because.split(', ').at(-1)}`]),
  ];
  return lines.length === 0 ? [] : ['', '**Notable events**', '', ...lines];
}

const countedLine = (times: number, what: string): readonly string[] => {
  if (times === 0) return [];
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}`;
  return [times === 1 ? `- ${sentence}` : `- ${formatCount(times, 'time')}: ${what}`];
};

/** Phase runs that began but were never concluded: their process died, or another instance took over. */
function interruptions(story: readonly Transition[]): number {
  const runs = story.filter(({ kind, ms }) => kind === 'taken' || ms !== undefined);
  return runs.filter(({ kind }, at) => kind === 'taken' && runs[at + 1]?.kind === 'taken').length;
}
