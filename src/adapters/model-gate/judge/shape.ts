/** What a JSON value may be. A kind that is not named is not allowed; a key that is not named is not allowed either. */
export interface Shape {
  /** Any text, or one of these. */
  readonly text?: true | readonly string[];
  readonly number?: true;
  readonly flag?: true;
  /** `null`. */
  readonly nothing?: true;
  /** An object with no other keys than these. A function where shapes contain each other. */
  readonly keys?: Keys | (() => Keys);
  /** A list of such values. */
  readonly items?: Shape;
  /** Any JSON: data that the API hands to the model and does not act on. */
  readonly free?: true;
  /** The name under which the fields of such an object are reported. */
  readonly report?: Reported;
}

export type Keys = Readonly<Record<string, Shape>>;

/** Objects of which somebody wants to know the plain fields. */
export type Reported = 'request' | 'thinking' | 'source' | 'cache';

/** Where a plain value stands in the bytes; a text without its quotes. */
export interface Spot {
  readonly start: number;
  readonly end: number;
}

export type Fields = ReadonlyMap<string, Spot>;
