import { z } from 'zod';
import { LineSplitter } from '../../../streams/line-splitter.js';
import { type BilledTokens, costOf } from './model-prices.js';
import { parseJson } from '../parse-json.js';
import { type ApiError, apiError } from './read-trouble.js';

/** What one answer of the model used. */
export interface AnswerUsage extends BilledTokens {
  readonly model: string;
  readonly costUsd: number;
}

const count = z.number().nullish().catch(null);
const usageFields = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    cache_creation: z.object({ ephemeral_1h_input_tokens: count }).nullish().catch(null),
  })
  .nullish()
  .catch(null);
type UsageFields = NonNullable<z.infer<typeof usageFields>>;

const message = z.object({ model: z.string(), usage: usageFields });
const streamEvent = z.object({
  type: z.string().optional(),
  message: message.optional().catch(undefined),
  usage: usageFields,
  error: apiError.optional().catch(undefined),
  delta: z.looseObject({}).optional().catch(undefined),
});

/** The request, for answers that never report their usage. */
export interface RequestSize {
  readonly model: string;
  readonly bytes: number;
}

/** Approximate characters per token, for answers that were cut off. */
const CHARACTERS_PER_TOKEN = 4;

/** Counts the usage of an answer while it is forwarded, streamed or not, also when it is cut off. */
export class UsageMeter {
  readonly #lines: LineSplitter | null;
  readonly #body: Buffer[] = [];
  readonly #asked: RequestSize;
  #model: string | null = null;
  #fields: UsageFields = {};
  #streamed = 0;
  #isCounted = false;
  #isComplete = false;
  #isOver = false;
  #isRead = false;
  #error: ApiError | null = null;

  constructor(contentType: string | undefined, asked: RequestSize) {
    this.#asked = asked;
    const isStream = contentType?.includes('text/event-stream') === true;
    this.#lines = isStream ? new LineSplitter((line) => this.#readLine(line)) : null;
  }

  push(chunk: Buffer): void {
    if (this.#lines === null) this.#body.push(chunk);
    else this.#lines.push(chunk);
  }

  /** The API's error in the middle of a stream. */
  error(): ApiError | null {
    return this.#error;
  }

  /** Whether a stream reached its end; other answers are complete when they arrive. */
  isComplete(): boolean {
    return this.#lines === null || this.#isComplete;
  }

  /** The answer has ended. */
  end(): void {
    this.#isOver = true;
  }

  /** What the API has reported of the usage: nothing, the input, or all. */
  known(): 'nothing' | 'input' | 'all' {
    if (this.#model === null || this.#fields.input_tokens == null) return 'nothing';
    return this.#isCounted ? 'all' : 'input';
  }

  /** `null` when the answer used nothing that is billed: an error, or a count of tokens. */
  usage(): AnswerUsage | null {
    this.#readBody();
    if (this.#model !== null) return withCost(this.#model, this.#tokens());
    const isTorn = this.#lines === null && this.#body.length > 0 && !this.#isCounted;
    return isTorn ? withCost(this.#asked.model, this.#guess()) : null;
  }

  /** In a message that is not streamed the usage comes last, so a torn one has none. */
  #guess(): BilledTokens {
    const bytes = this.#body.reduce((sum, chunk) => sum + chunk.length, 0);
    const tokens = (length: number): number => Math.ceil(length / CHARACTERS_PER_TOKEN);
    return { input: tokens(this.#asked.bytes), output: tokens(bytes), cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
  }

  #tokens(): BilledTokens {
    const fields = this.#fields;
    const guess = this.#isCounted ? 0 : Math.ceil(this.#streamed / CHARACTERS_PER_TOKEN);
    const long = fields.cache_creation?.ephemeral_1h_input_tokens ?? 0;
    return {
      input: fields.input_tokens ?? 0,
      output: Math.max(fields.output_tokens ?? 0, guess),
      cacheRead: fields.cache_read_input_tokens ?? 0,
      cacheWrite: Math.max(0, (fields.cache_creation_input_tokens ?? 0) - long),
      cacheWriteLong: long,
    };
  }

  #readLine(line: string): void {
    if (!line.startsWith('data:')) return;
    const event = streamEvent.safeParse(parseJson(line.slice('data:'.length))).data;
    if (event?.type === 'message_start') this.#start(event.message);
    if (event?.type === 'content_block_delta') this.#streamed += textLength(event.delta ?? {});
    if (event?.type === 'message_delta') {
      this.#add(event.usage);
      this.#isCounted = true;
    }
    if (event?.type === 'message_stop') this.#isComplete = true;
    if (event?.type === 'error') this.#error = event.error ?? { type: '', message: '' };
  }

  #readBody(): void {
    // Parsed once, when complete.
    if (this.#lines !== null || !this.#isOver || this.#isRead) return;
    this.#isRead = true;
    const whole = parseJson(Buffer.concat(this.#body).toString('utf8'));
    this.#isCounted = whole !== undefined;
    this.#start(message.safeParse(whole).data);
  }

  #start(started: z.infer<typeof message> | undefined): void {
    if (started === undefined) return;
    this.#model = started.model;
    this.#add(started.usage);
  }

  /** Figures are cumulative: the newest counts, and a missing one keeps its value. */
  #add(fields: z.infer<typeof usageFields>): void {
    const known = Object.entries(fields ?? {}).filter(([, value]) => value != null);
    this.#fields = { ...this.#fields, ...Object.fromEntries(known) };
  }
}

export const withCost = (model: string, tokens: BilledTokens): AnswerUsage => ({
  model,
  ...tokens,
  costUsd: costOf(model, tokens),
});

/** A delta has its text in the one field besides its type. */
function textLength(delta: Readonly<Record<string, unknown>>): number {
  return Object.entries(delta).reduce(
    (sum, [name, value]) => sum + (name !== 'type' && typeof value === 'string' ? value.length : 0),
    0,
  );
}
