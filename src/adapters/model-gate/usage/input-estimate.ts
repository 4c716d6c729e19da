import type { InputWeight } from '../judge/judge-body.js';
import { type BilledTokens, costOf } from './model-prices.js';

/** No token is shorter than a byte. */
const MOST_TOKENS_PER_BYTE = 1;
/** Usual text and code. */
const USUAL_TOKENS_PER_BYTE = 1 / 4;
/** Tokens of the largest image. */
const MOST_TOKENS_PER_IMAGE = 5000;
const USUAL_TOKENS_PER_IMAGE = 1600;
/** A small PDF can have hundreds of pages and fill the whole context. */
const USUAL_TOKENS_PER_PDF = 50_000;
/** Tokens that the API adds when tools are offered. */
const TOOL_INSTRUCTIONS = 1000;
/** No model takes more; a longer request is refused at no cost. */
const LARGEST_WINDOW = 1_000_000;

/** The most a request can cost, which must be available before it is forwarded. */
export function mostUsd(model: string, input: InputWeight, outputTokens: number): number {
  return costOf(model, { ...mostInput(input), output: outputTokens });
}

/** The estimated cost of the input. */
export function usualInputUsd(model: string, input: InputWeight): number {
  return costOf(model, usualInput(input));
}

/** What one more token of an answer costs. */
export function usdPerOutputToken(model: string, input: InputWeight): number {
  return mostUsd(model, input, 1) - mostUsd(model, input, 0);
}

/** The most input tokens the bytes can be. */
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
