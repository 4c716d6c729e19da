import { type Box, findBoxes } from './criterion.js';
import { neutralise } from '../sanitise/neutralise.js';

/** Stands in no text. */
const NO_FENCE = '\u0000';

/** The boxes a reader of the page sees. One inside a comment is none: nobody could have vouched for it. */
export function visibleBoxes(body: string): readonly Box[] {
  const shown = new Set(findBoxes(neutralise(body, NO_FENCE)).map(({ text }) => text.trim()));
  return findBoxes(body).filter(({ text }) => shown.has(neutralise(text, NO_FENCE).trim()));
}
