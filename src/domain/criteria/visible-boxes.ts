import { type Box, findBoxes } from './criterion.js';
import { neutralise } from '../sanitise/neutralise.js';

/** A character that occurs in no text. */
const NO_FENCE = '\u0000';

/** The boxes a reader of the page sees. A box inside an HTML comment does not count, because nobody could have checked it. */
export function visibleBoxes(body: string): readonly Box[] {
  const shown = new Set(findBoxes(neutralise(body, NO_FENCE)).map(({ text }) => text.trim()));
  return findBoxes(body).filter(({ text }) => shown.has(neutralise(text, NO_FENCE).trim()));
}
