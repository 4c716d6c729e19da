import { jsonBytes } from '../sanitise/json-bytes.js';

/** How a criterion is checked by a program, without judgement. */
export type VerifyCommand =
  /** A shell command that must exit 0. */
  | { readonly kind: 'command'; readonly run: string }
  | { readonly kind: 'file_exists'; readonly path: string }
  /** The file contains exactly this text. */
  | { readonly kind: 'file_contains'; readonly path: string; readonly text: string }
  /** A line of the file matches this extended regular expression. */
  | { readonly kind: 'grep'; readonly pattern: string; readonly path: string };

/** When a criterion can be judged: on the proposed commit, or only after it is on the base branch. */
export type CriterionStage = 'pre-merge' | 'post-merge';

export interface Criterion {
  /** `c1`, `c2`, …: how specs, prompts and reports refer to it. */
  readonly id: string;
  readonly text: string;
  /** `null`: a model judges it, with evidence. */
  readonly verify: VerifyCommand | null;
  readonly stage: CriterionStage;
}

export const VERDICTS = ['PASS', 'FAIL', 'SKIPPED', 'UNCERTAIN'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface CriterionResult {
  readonly id: string;
  readonly verdict: Verdict;
  /** What was seen: the end of a command's output, a line, a reason. */
  readonly evidence: string;
  /** The person who decided, if neither a command nor a model could. */
  readonly by?: string;
}

/** `command "npm test"`, `file_exists src/a.js`, `file_contains a.md "text"`, `grep "^x" src/a.js`. */
export function formatVerify(command: VerifyCommand): string {
  switch (command.kind) {
    case 'command':
      return `command ${quote(command.run)}`;
    case 'file_exists':
      return `file_exists ${quote(command.path)}`;
    case 'file_contains':
      return `file_contains ${quote(command.path)} ${quote(command.text)}`;
    case 'grep':
      return `grep ${quote(command.pattern)} ${quote(command.path)}`;
  }
}

/** A verify command that cannot be parsed. It must not be treated as "no command", because the author wanted one to run. */
export interface MalformedVerify {
  readonly kind: 'malformed';
  readonly text: string;
  /** What is wrong with it, as a part of a sentence. */
  readonly why: string;
}

/** An example of each command, for error messages. */
const VERIFY_FORMS: Readonly<Record<VerifyCommand['kind'], string>> = {
  command: 'command "npm test"',
  file_exists: 'file_exists path/to/file',
  file_contains: 'file_contains path/to/file "the text"',
  grep: 'grep "pattern" path/to/file',
};

/** Commands are never cut. A longer one belongs in a script of the repository. */
const MAX_VERIFY_BYTES = 2_000;

/** The most criteria an issue can have. Further boxes are ignored. */
export const MAX_CRITERIA = 20;

const VERIFY_KINDS = Object.keys(VERIFY_FORMS) as readonly VerifyCommand['kind'][];

/** Parses a verify command, or says why it is not valid. */
export function parseVerify(text: string): VerifyCommand | MalformedVerify {
  const malformed = (why: string): MalformedVerify => ({ kind: 'malformed', text: text.trim(), why });
  if (jsonBytes(text) > MAX_VERIFY_BYTES) return malformed(`it is longer than ${MAX_VERIFY_BYTES} bytes`);
  const [name, ...rest] = words(text);
  if (name === undefined) return malformed('it is empty');
  const kind = VERIFY_KINDS.find((known) => known === name.text);
  if (kind === undefined) return malformed(`\`${name.text}\` is none of the four commands`);
  if (rest.some(({ text: word, quoted }) => !quoted && word.startsWith('"')))
    return malformed('a quotation mark is not closed');
  const given = rest.map(({ text: word }) => word);
  const wanted = kind === 'command' || kind === 'file_exists' ? 1 : 2;
  const [first = '', second = '', ...more] = given;
  if (first === '' || (wanted === 2 && second === '')) return malformed(`something is missing after \`${kind}\``);
  if (more.length > 0 || (wanted === 1 && given.length > 1))
    return malformed(`too much follows \`${kind}\`: what belongs together goes in double quotes`);
  return commandOf(kind, first, second);
}

function commandOf(kind: VerifyCommand['kind'], first: string, second: string): VerifyCommand {
  switch (kind) {
    case 'command':
      return { kind, run: first };
    case 'file_exists':
      return { kind, path: first };
    case 'file_contains':
      return { kind, path: first, text: second };
    case 'grep':
      return { kind, pattern: first, path: second };
  }
}

/** `` `curl x`: `curl` is none of the four commands. Write one of … ``. */
export function formatMalformedVerify({ text, why }: MalformedVerify): string {
  const forms = VERIFY_KINDS.map((kind) => `\`${VERIFY_FORMS[kind]}\``).join(', ');
  const shown = text.replaceAll('`', "'").slice(0, 200);
  return `\`verify: ${shown}\` cannot be read: ${why}. Write one of ${forms}.`;
}

const quote = (word: string): string => (/^[\w./@-]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`);

interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

function words(text: string): readonly Word[] {
  return [...text.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, inside = '', bare]) =>
    bare === undefined ? { text: inside.replaceAll(/\\(.)/g, '$1'), quoted: true } : { text: bare, quoted: false },
  );
}

const BOX = /^(\s*[-*+] \[)([ xX])(\]\s+)(.*)$/;
const VERIFY_COMMENT = /<!--\s*verify:\s*(.*?)\s*-->/;

export interface Box {
  /** Line index in the body. */
  readonly line: number;
  readonly ticked: boolean;
  readonly text: string;
  /** `null` where the box has no verify comment. */
  readonly verify: VerifyCommand | MalformedVerify | null;
}

/** The check boxes of a body, outside fenced code. */
export function findBoxes(body: string): readonly Box[] {
  const boxes: Box[] = [];
  let fence: string | null = null;
  for (const [line, text] of body.split('\n').entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    const match = fence === null ? BOX.exec(text) : null;
    if (match === null) continue;
    const content = match[4] ?? '';
    boxes.push({
      line,
      ticked: match[2] !== ' ',
      text: content.replaceAll(/<!--.*?-->/g, '').trim(),
      verify: verifyIn(content),
    });
  }
  return boxes;
}

function verifyIn(content: string): Box['verify'] {
  const text = VERIFY_COMMENT.exec(content)?.[1];
  return text === undefined ? null : parseVerify(text);
}

/** What is wrong with the verify comments of the open boxes, one text for each. */
export function describeMalformedBoxes(body: string): readonly string[] {
  return findBoxes(body).flatMap(({ ticked, text, verify }) =>
    ticked || verify?.kind !== 'malformed' ? [] : [`The box “${text}”: ${formatMalformedVerify(verify)}`],
  );
}

/** The body with these boxes ticked and nothing else changed. */
export function tickBoxes(body: string, texts: ReadonlySet<string>): string {
  const lines = body.split('\n');
  for (const box of findBoxes(body)) {
    if (box.ticked || !texts.has(box.text)) continue;
    lines[box.line] = (lines[box.line] ?? '').replace(BOX, '$1x$3$4');
  }
  return lines.join('\n');
}

/** The body with every box open, so that ticking a box does not count as a changed text. */
export function untickBoxes(body: string): string {
  const lines = body.split('\n');
  for (const { line, ticked } of findBoxes(body)) if (ticked) lines[line] = (lines[line] ?? '').replace(BOX, '$1 $3$4');
  return lines.join('\n');
}

/** A canonical text of the criteria. A spec is bound to its hash. */
export function criteriaText(criteria: readonly Criterion[]): string {
  return criteria
    .map(({ id, text, verify, stage }) => `${id} ${stage} ${verify === null ? '-' : formatVerify(verify)} ${text}`)
    .join('\n');
}
