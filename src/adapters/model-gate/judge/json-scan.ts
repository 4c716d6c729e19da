import type { Keys, Reported, Shape, Spot } from './shape.js';

/** Deeper than any real tool schema or input. Each level costs a call. */
const MAX_DEPTH = 64;
/** More values than a conversation of a million tokens has; only an attack sends more. */
const MAX_VALUES = 400_000;
/** Longest key or number that is compared. */
const MAX_WORD = 80;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LETTER_U = 0x75;
const MINUS = 0x2d;
const ESCAPABLE: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrtu'));
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS = { t: 'true', f: 'false', n: 'null' } as const;

type OnReport = (reported: Reported, fields: ReadonlyMap<string, Spot>) => void;

/** Why the bytes are refused. */
export class ScanRefusal extends Error {}

/**
 * Checks bytes against a shape in one pass without building the value, so memory does not grow with the input. The grammar is strict and
 * duplicate keys are refused, so that no other parser can read the bytes differently.
 */
export class JsonScan {
  readonly #bytes: Buffer;
  readonly #onReport: OnReport;
  readonly #path: (string | number)[] = [];
  #at = 0;
  #values = 0;

  constructor(bytes: Buffer, onReport: OnReport) {
    this.#bytes = bytes;
    this.#onReport = onReport;
  }

  /** Throws a `ScanRefusal` unless the bytes are one value of this shape. */
  run(shape: Shape): void {
    this.#value(shape, 0);
    this.#skipBlanks();
    if (this.#at !== this.#bytes.length) this.#refuse('is followed by something else');
  }

  /** Returns the position of a plain value; nothing for objects and lists. */
  #value(shape: Shape, depth: number): Spot | undefined {
    this.#values += 1;
    if (this.#values > MAX_VALUES) this.#refuse(`comes after more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) this.#refuse('is nested too deep');
    this.#skipBlanks();
    const first = this.#bytes[this.#at];
    if (first === OPEN_OBJECT) return this.#object(shape, depth);
    if (first === OPEN_LIST) return this.#list(shape, depth);
    if (first === QUOTE) return this.#text(shape);
    return this.#word(shape, first);
  }

  #object(shape: Shape, depth: number): undefined {
    if (shape.keys === undefined && shape.free !== true) this.#refuse('must not be an object');
    const keys = typeof shape.keys === 'function' ? shape.keys() : shape.keys;
    const seen: string[] = [];
    const fields = new Map<string, Spot>();
    this.#at += 1;
    this.#entries(CLOSE_OBJECT, () => {
      const name = this.#key(keys, seen);
      this.#expect(COLON);
      const spot = this.#value(keys?.[name] ?? shape, depth + 1);
      if (spot !== undefined && shape.report !== undefined) fields.set(name, spot);
      if (keys !== undefined) this.#path.pop();
    });
    if (shape.report !== undefined) this.#onReport(shape.report, fields);
  }

  /** Reads a key. A known key stays on the path while its value is read. */
  #key(keys: Keys | undefined, seen: string[]): string {
    this.#skipBlanks();
    if (this.#bytes[this.#at] !== QUOTE) this.#refuse('is not JSON');
    const spot = this.#string();
    if (keys === undefined) return '';
    // Compared as raw bytes: a known key has no escapes.
    const name = this.#slice(spot);
    this.#path.push(name);
    if (!Object.hasOwn(keys, name)) this.#refuse('is not allowed here');
    if (seen.includes(name)) this.#refuse('comes twice');
    seen.push(name);
    return name;
  }

  #list(shape: Shape, depth: number): undefined {
    const items = shape.free === true ? shape : shape.items;
    if (items === undefined) this.#refuse('must not be a list');
    this.#at += 1;
    let index = 0;
    this.#entries(CLOSE_LIST, () => {
      this.#path.push(index);
      this.#value(items, depth + 1);
      this.#path.pop();
      index += 1;
    });
  }

  /** Reads entries with commas between them, up to the closing bracket. */
  #entries(close: number, read: () => void): void {
    this.#skipBlanks();
    if (this.#bytes[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      read();
      this.#skipBlanks();
      const next = this.#bytes[this.#at];
      if (next === close) break;
      this.#expect(COMMA);
    }
    this.#at += 1;
  }

  #text(shape: Shape): Spot {
    const { text, free } = shape;
    if (text === undefined && free !== true) this.#refuse('must not be text');
    const spot = this.#string();
    if (typeof text === 'object' && !text.includes(this.#slice(spot))) {
      this.#refuse(`must not be “${this.#slice(spot)}”`);
    }
    return spot;
  }

  #string(): Spot {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    let at = start;
    for (;;) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === undefined || byte < 0x20) this.#refuse('is not JSON');
      at += byte === BACKSLASH ? this.#escape(at) : 1;
    }
    this.#at = at + 1;
    return { start, end: at };
  }

  /** How many bytes an escape takes. */
  #escape(at: number): number {
    const escaped = this.#bytes[at + 1];
    if (escaped === undefined || !ESCAPABLE.has(escaped)) this.#refuse('is not JSON');
    if (escaped !== LETTER_U) return 2;
    for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHex(this.#bytes[digit])) this.#refuse('is not JSON');
    return 6;
  }

  #word(shape: Shape, first: number | undefined): Spot {
    const { free, number, flag, nothing } = shape;
    if (first === MINUS || (first !== undefined && first >= 0x30 && first <= 0x39)) {
      if (number !== true && free !== true) this.#refuse('must not be a number');
      return this.#number();
    }
    const letter = first === undefined ? '' : String.fromCharCode(first);
    const word = letter in WORDS ? WORDS[letter as keyof typeof WORDS] : '';
    const end = this.#at + word.length;
    if (word === '' || this.#bytes.toString('latin1', this.#at, end) !== word) this.#refuse('is not JSON');
    const isAllowed = word === 'null' ? nothing : flag;
    if (isAllowed !== true && free !== true) this.#refuse(`must not be ${word}`);
    const spot = { start: this.#at, end };
    this.#at = end;
    return spot;
  }

  #number(): Spot {
    const start = this.#at;
    let end = start;
    while (isNumeric(this.#bytes[end])) end += 1;
    if (end - start > MAX_WORD || !NUMBER.test(this.#bytes.toString('latin1', start, end))) this.#refuse('is not JSON');
    this.#at = end;
    return { start, end };
  }

  #expect(byte: number): void {
    this.#skipBlanks();
    if (this.#bytes[this.#at] !== byte) this.#refuse('is not JSON');
    this.#at += 1;
  }

  #skipBlanks(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
    this.#at = at;
  }

  #slice({ start, end }: Spot): string {
    const text = this.#bytes.toString('utf8', start, Math.min(end, start + MAX_WORD));
    return end - start > MAX_WORD ? `${text}…` : text;
  }

  #refuse(why: string): never {
    const [first, ...rest] = this.#path;
    const steps = rest.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    throw new ScanRefusal(`${first === undefined ? 'The request' : [first, ...steps].join('')} ${why}.`);
  }
}

function isNumeric(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  // Digits, and + - . E e.
  return (byte >= 0x30 && byte <= 0x39) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].includes(byte);
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  // Upper-case letters differ from lower-case ones in one bit.
  const letter = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}
