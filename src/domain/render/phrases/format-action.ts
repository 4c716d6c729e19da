import { endSentence, formatMoment } from './figures.js';
import { quoteLine } from '../../sanitise/publish.js';
import type { Action } from '../../action/action.js';

/** The next step with its reason. The text continues “the next step is to”. */
export function formatAction(action: Action): string {
  const because = `because ${endSentence(quoteLine(action.because, 600))}`;
  return `${formatStep(action)}, ${because}`;
}

/** The step after labels and comments are up to date. */
export const formatFollowUp = (action: Action): string => ` After that it will ${formatAction(action)}`;

function formatStep(action: Action): string {
  switch (action.kind) {
    case 'wait':
      if (action.on === 'lease') return 'wait for the agent at work';
      return action.until === undefined ? 'wait' : `wait, at the latest until ${formatMoment(action.until)}`;
    case 'run':
      return `run \`${action.phase}\`${action.attempt > 1 ? ` (attempt ${action.attempt})` : ''}`;
    case 'halt':
      return 'stop and ask for a person';
    case 'effect':
      return EFFECTS[action.effect.kind];
  }
}

const EFFECTS = {
  project: 'bring labels and comments up to date',
  'open-pr': 'open the pull request',
  merge: 'merge the pull request',
  'request-fix': 'have the code worked on again',
  'use-base': 'work on the branch the repository names',
  'use-pull': 'go through a pull request',
  'go-to': 'go to another phase',
  'note-head': 'write down when somebody’s push was first seen',
  'note-silence': 'write down since when GitHub has not answered',
  finish: 'finish',
} as const;
