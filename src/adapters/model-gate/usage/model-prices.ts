/** Tokens of one answer, by price category. */
export interface BilledTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Written to the cache for five minutes. */
  readonly cacheWrite: number;
  /** Written to the cache for an hour. */
  readonly cacheWriteLong: number;
}

/** List prices in USD per million tokens. All other prices follow from these two. */
interface Price {
  readonly input: number;
  readonly cacheRead: number;
}

/** The list price of each model as the shipped CLI counts it; a test compares them. */
const PRICES: Readonly<Record<string, Price>> = {
  'claude-mythos-5': { input: 10, cacheRead: 1 },
  'claude-fable-5-2': { input: 8, cacheRead: 0.2 },
  'claude-fable-5-1': { input: 10, cacheRead: 0.25 },
  'claude-fable-5': { input: 10, cacheRead: 1 },
  'claude-opus-5-5': { input: 4, cacheRead: 0.2 },
  'claude-opus-5': { input: 5, cacheRead: 0.5 },
  'claude-opus-4-8': { input: 5, cacheRead: 0.5 },
  'claude-opus-4-7': { input: 5, cacheRead: 0.5 },
  'claude-opus-4-6': { input: 5, cacheRead: 0.5 },
  'claude-opus-4-5': { input: 5, cacheRead: 0.5 },
  'claude-opus-4': { input: 15, cacheRead: 1.5 },
  'claude-sonnet-5-5': { input: 2, cacheRead: 0.1 },
  'claude-sonnet-5': { input: 2, cacheRead: 0.2 },
  'claude-sonnet-4-6': { input: 3, cacheRead: 0.3 },
  'claude-sonnet-4-5': { input: 3, cacheRead: 0.3 },
  'claude-haiku-5-5': { input: 0.1, cacheRead: 0.01 },
  'claude-haiku-4-5': { input: 1, cacheRead: 0.1 },
};

/** Models that cost more for prompts longer than this. */
const LONG_PROMPTS: Readonly<Record<string, Price & { readonly above: number }>> = {
  'claude-haiku-5-5': { above: 100_000, input: 0.5, cacheRead: 0.05 },
};

const MOST_EXPENSIVE = Object.values(PRICES).reduce((most, price) => (price.input > most.input ? price : most));

/** The cost of an answer. An unknown model counts as the most expensive one, so that a budget is never exceeded unnoticed. */
export function costOf(model: string, tokens: BilledTokens): number {
  const { input, cacheRead } = priceOf(model, tokens);
  const weighted =
    tokens.input * input +
    tokens.output * input * 5 +
    tokens.cacheRead * cacheRead +
    tokens.cacheWrite * input * 1.25 +
    tokens.cacheWriteLong * input * 2;
  return weighted / 1_000_000;
}

/** Whether the price of a model is known. */
export const isPriced = (model: string): boolean => Object.hasOwn(PRICES, nameOf(model));

/** Removes the release date or context window from a model name. */
const nameOf = (model: string): string => model.replace(/\[[^\]]*\]$/, '').replace(/-\d{8}$/, '');

function priceOf(model: string, tokens: BilledTokens): Price {
  const name = nameOf(model);
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.cacheWriteLong;
  const long = LONG_PROMPTS[name];
  return long !== undefined && prompt > long.above ? long : (PRICES[name] ?? MOST_EXPENSIVE);
}
