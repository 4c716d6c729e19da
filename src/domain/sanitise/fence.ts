import { neutralise } from './neutralise.js';

/** Encloses untrusted text in marks that nobody could know beforehand, so that it reads as data, not as instructions. */
export function fenceText(fence: string, name: string, text: string): string {
  return `<data-${fence} name="${name}">\n${neutralise(text, fence)}\n</data-${fence}>`;
}

/** The fence of one of our prompts, whose first line is `/sluice:skill issue nonce fence`. `null` for any other prompt. */
export function fenceOf(prompt: string): string | null {
  return /^\/sluice:\w+ \S+ \S+ ([A-Za-z0-9]+)(?:\n|$)/.exec(prompt)?.[1] ?? null;
}
