/** Allowed JSON values. Kinds and keys that are not named are refused. */
export interface Shape {
  /** Any text, or one of these. */
  readonly text?: true | readonly string[];
  readonly number?: true;
  readonly flag?: true;
  /** `null`. */
  readonly nothing?: true;
  /** An object with only these keys. A function allows recursive shapes. */
  readonly keys?: Keys | (() => Keys);
  /** A list of values of this shape. */
  readonly items?: Shape;
  /** Any JSON: data that the API passes to the model without acting on it. */
  readonly free?: true;
  /** The name under which the object's plain fields are reported. */
  readonly report?: Reported;
}

export type Keys = Readonly<Record<string, Shape>>;

/** Objects whose plain fields are reported. */
export type Reported = 'request' | 'thinking' | 'source' | 'cache';

/** The position of a plain value in the bytes; a text without its quotes. */
export interface Spot {
  readonly start: number;
  readonly end: number;
}

export type Fields = ReadonlyMap<string, Spot>;
