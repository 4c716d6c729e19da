import { endSentence } from './words/figures.js';
import type { Action } from './action.js';

/** The next step in a sentence, with its reason. */
export function formatAction(action: Action): string {
  switch (action.kind) {
    case 'wait':
      return `wait, because ${endSentence(action.because)}`;
    case 'run':
      return `run \`${action.phase}\` (attempt ${action.attempt}), because ${endSentence(action.because)}`;
    case 'halt':
      return `stop and ask (${action.state}), because ${endSentence(action.because)}`;
    case 'effect':
      return `${EFFECTS[action.effect.kind]}, because ${endSentence(action.because)}`;
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
  'note-silence': 'write down since when GitHub has not answered',
  finish: 'finish',
} as const;
