import type { InputWeight } from '../judge/judge-body.js';
import { type BilledTokens, costOf } from './model-prices.js';

/** No token is shorter than a byte. */
const MOST_TOKENS_PER_BYTE = 1;
/** Usual text and code. */
const USUAL_TOKENS_PER_BYTE = 1 / 4;
/** The largest image that a model looks at. */
const MOST_TOKENS_PER_IMAGE = 5000;
const USUAL_TOKENS_PER_IMAGE = 1600;
/** A small PDF can have hundreds of pages: it may fill the whole conversation. */
const USUAL_TOKENS_PER_PDF = 50_000;
/** What the API adds by itself where tools are offered. */
const TOOL_INSTRUCTIONS = 1000;
/** No model takes more: a longer request is refused, and costs nothing. */
const LARGEST_WINDOW = 1_000_000;

/** What a request will cost at most: what has to be there before it is passed on. */
export function mostUsd(model: string, input: InputWeight, outputTokens: number): number {
  return costOf(model, { ...mostInput(input), output: outputTokens });
}

/** What its input will cost, at a guess. */
export function usualInputUsd(model: string, input: InputWeight): number {
  return costOf(model, usualInput(input));
}

/** What one more token of an answer costs. */
export function usdPerOutputToken(model: string, input: InputWeight): number {
  return mostUsd(model, input, 1) - mostUsd(model, input, 0);
}

/** As much input as the bytes can possibly be. */
export function mostInput({ textBytes, images, pdfs, cacheWrite }: InputWeight): BilledTokens {
  const text = textBytes * MOST_TOKENS_PER_BYTE + images * MOST_TOKENS_PER_IMAGE + TOOL_INSTRUCTIONS;
  return billedTokens(pdfs > 0 ? LARGEST_WINDOW : Math.min(text, LARGEST_WINDOW), cacheWrite);
}

export function usualInput({ textBytes, images, pdfs }: InputWeight): BilledTokens {
  const media = images * USUAL_TOKENS_PER_IMAGE + pdfs * USUAL_TOKENS_PER_PDF;
  return billedTokens(Math.min(Math.ceil(textBytes * USUAL_TOKENS_PER_BYTE) + media, LARGEST_WINDOW), 'none');
}

const NONE: BilledTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };

function billedTokens(tokens: number, cacheWrite: InputWeight['cacheWrite']): BilledTokens {
  switch (cacheWrite) {
    case 'none':
      return { ...NONE, input: tokens };
    case 'short':
      return { ...NONE, cacheWrite: tokens };
    case 'long':
      return { ...NONE, cacheWriteLong: tokens };
  }
}
