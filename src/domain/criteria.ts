/** How a criterion is checked without anybody's opinion. */
export type VerifyCommand =
  /** A shell command that must exit 0. */
  | { readonly kind: 'command'; readonly run: string }
  | { readonly kind: 'file_exists'; readonly path: string }
  /** The file holds this text, letter for letter. */
  | { readonly kind: 'file_contains'; readonly path: string; readonly text: string }
  /** A line of the file matches this extended regular expression. */
  | { readonly kind: 'grep'; readonly pattern: string; readonly path: string };

/** When a criterion can be judged: on the proposed commit already, or only once it is on the base branch. */
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

/** The command a text stands for; `null` when it is none of ours. */
export function parseVerify(text: string): VerifyCommand | null {
  const [kind, first, second, ...more] = words(text);
  if (first === undefined || more.length > 0) return null;
  if (kind === 'command' && second === undefined) return { kind, run: first };
  if (kind === 'file_exists' && second === undefined) return { kind, path: first };
  if (second === undefined) return null;
  if (kind === 'file_contains') return { kind, path: first, text: second };
  if (kind === 'grep') return { kind, pattern: first, path: second };
  return null;
}

const quote = (word: string): string => (/^[\w./@-]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, '\\$&')}"`);

function words(text: string): string[] {
  return [...text.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(
    (match) => match[2] ?? (match[1] ?? '').replaceAll(/\\(.)/g, '$1'),
  );
}

const BOX = /^(\s*[-*+] \[)([ xX])(\]\s+)(.*)$/;
const VERIFY_COMMENT = /<!--\s*verify:\s*(.*?)\s*-->/;

export interface Box {
  /** Line index in the body. */
  readonly line: number;
  readonly ticked: boolean;
  readonly text: string;
  readonly verify: VerifyCommand | null;
}

/** The check boxes of a body, outside fenced code. */
export function boxesIn(body: string): readonly Box[] {
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
      verify: parseVerify(VERIFY_COMMENT.exec(content)?.[1] ?? ''),
    });
  }
  return boxes;
}

/** The body with these boxes ticked and not a letter changed otherwise. */
export function tickBoxes(body: string, texts: ReadonlySet<string>): string {
  const lines = body.split('\n');
  for (const box of boxesIn(body)) {
    if (box.ticked || !texts.has(box.text)) continue;
    lines[box.line] = (lines[box.line] ?? '').replace(BOX, '$1x$3$4');
  }
  return lines.join('\n');
}

/** The same criteria always give the same text: what a spec is bound to. */
export function criteriaText(criteria: readonly Criterion[]): string {
  return criteria
    .map(({ id, text, verify, stage }) => `${id} ${stage} ${verify === null ? '-' : formatVerify(verify)} ${text}`)
    .join('\n');
}
