import { neutralise } from './neutralise.js';

/** Text somebody else wrote, between marks nobody could know beforehand: data, not instructions to follow. */
export function fenceText(fence: string, name: string, text: string): string {
  return `<data-${fence} name="${name}">\n${neutralise(text, fence)}\n</data-${fence}>`;
}

/** The mark a prompt of ours uses: its first line is `/sluice:skill issue nonce fence`. `null` for any other prompt. */
export function fenceOf(prompt: string): string | null {
  return /^\/sluice:\w+ \S+ \S+ ([A-Za-z0-9]+)(?:\n|$)/.exec(prompt)?.[1] ?? null;
}
