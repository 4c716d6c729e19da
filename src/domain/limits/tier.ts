import { UNSIZED } from './budget-table.js';
import type { ModelTier, RunOptions } from '../issue/options.js';
import type { AgentPhase } from '../issue/phase.js';
import type { Size } from '../issue/size.js';

/** Model ids by tier; `null` leaves the choice to the CLI. */
export type ModelConfig = Readonly<Record<ModelTier | 'fallback', string | null>>;

/** The model of one agent run. */
export interface ChosenModel {
  readonly tier: ModelTier;
  /** `null`: the CLI's own default. */
  readonly id: string | null;
  /** Used while the model is overloaded. */
  readonly fallback: string | null;
  /** How many tokens fit into one conversation. */
  readonly windowTokens: number;
}

const EVERY_SIZE = (tier: ModelTier): Readonly<Record<Size, ModelTier>> => ({
  XS: tier,
  S: tier,
  M: tier,
  L: tier,
  XL: tier,
});

/** Planning, writing and judging large changes needs a heavy model; triage and verification do not. */
export const TIERS: Readonly<Record<AgentPhase, Readonly<Record<Size, ModelTier>>>> = {
  issue: EVERY_SIZE('light'),
  spec: { XS: 'light', S: 'medium', M: 'medium', L: 'heavy', XL: 'heavy' },
  code: { XS: 'medium', S: 'medium', M: 'heavy', L: 'heavy', XL: 'heavy' },
  review: { XS: 'medium', S: 'medium', M: 'medium', L: 'heavy', XL: 'heavy' },
  verify: { XS: 'light', S: 'light', M: 'medium', L: 'medium', XL: 'medium' },
};

/** The model of a phase: the tier the person asked for, else by phase and size. */
export function modelFor(
  phase: AgentPhase,
  { size, options, config }: { readonly size: Size | null; readonly options: RunOptions; readonly config: ModelConfig },
): ChosenModel {
  const tier = options.model ?? TIERS[phase][size ?? UNSIZED];
  const id = config[tier];
  return { tier, id, fallback: config.fallback === id ? null : config.fallback, windowTokens: windowOf(id) };
}

/** Models that take a million tokens, according to the CLI. A test compares this list with the CLI. */
const MILLION = new Set([
  'claude-mythos-5',
  'claude-fable-5-2',
  'claude-fable-5-1',
  'claude-fable-5',
  'claude-opus-5-5',
  'claude-opus-5',
  'claude-opus-4-8',
  'claude-opus-4-7',
  'claude-sonnet-5-5',
  'claude-sonnet-5',
  'claude-haiku-5-5',
]);
/** Every model takes this much. */
const LEAST_WINDOW = 200_000;

/** How many tokens fit into a conversation with a model, by the id it was asked for or answers with. */
export function windowOf(id: string | null): number {
  if (id === null) return LEAST_WINDOW;
  const isLarge = id.endsWith('[1m]') || MILLION.has(id.replace(/-\d{8}$/, ''));
  return isLarge ? 1_000_000 : LEAST_WINDOW;
}
