import { type ModelRequest, textsOf } from '#scripted-claude';

export interface BriefCriterion {
  readonly id: string;
  readonly text: string;
  /** No command checks it. */
  readonly judged: boolean;
}

/** The content of our prompt: all that the brain knows. */
export interface Brief {
  readonly phase: string;
  readonly issue: string;
  /** Only the skill's text contains it. */
  readonly nonce: string;
  /** Facts by the words before their colon. */
  readonly facts: ReadonlyMap<string, string>;
  readonly blocks: ReadonlyMap<string, string>;
  readonly criteria: readonly BriefCriterion[];
  /** Whether the skill has this rule, word for word; lines may be broken elsewhere. */
  readonly follows: (rule: string) => boolean;
}

/** Sections every skill must have for the brain to work. */
const SKILL_PARTS = ['## What you are given', '## How to work', '## Never', '## Result'];

/** Parses a request, or says what is missing. */
export function readBrief(request: ModelRequest): Brief | { readonly missing: string } {
  const phase = /^sluice:(\w+)$/.exec(request.skill?.name ?? '')?.[1];
  if (phase === undefined || request.skill === null) return { missing: 'a /sluice command that the CLI has expanded' };
  const skill = skillText(request);
  const lost = SKILL_PARTS.find((part) => !skill.includes(part));
  if (lost !== undefined) return { missing: `the part "${lost}" of the skill ${phase}` };
  const nonce = /nonce is `([^`]+)`/.exec(skill)?.[1];
  const fence = /`<data-(\w+) name=/.exec(skill)?.[1];
  if (nonce === undefined || fence === undefined) return { missing: `the nonce and the fence in the skill ${phase}` };
  const { args } = request.skill;
  const blocks = new Map(
    [...args.matchAll(new RegExp(`^<data-${fence} name="([\\w-]+)">\\n([\\s\\S]*?)\\n</data-${fence}>$`, 'gm'))].map(
      ([, name = '', text = '']) => [name, text],
    ),
  );
  if (!blocks.has('issue')) return { missing: 'the issue' };
  return {
    phase,
    issue: args.split(/\s/)[0] ?? '',
    nonce,
    facts: new Map([...args.matchAll(/^- ([^:\n]+): (.*)$/gm)].map(([, name = '', text = '']) => [name, text])),
    blocks,
    criteria: criteriaIn(blocks.get('criteria') ?? ''),
    follows: (rule) => oneLine(skill).includes(oneLine(rule)),
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** The last text of the message that carries the command: the skill's body as the CLI filled it in. */
function skillText(request: ModelRequest): string {
  const message = request.messages.findLast(
    (candidate) => candidate.role === 'user' && textsOf(candidate).some((text) => text.includes('<command-name>')),
  );
  return message === undefined ? '' : (textsOf(message).at(-1) ?? '');
}

function criteriaIn(text: string): BriefCriterion[] {
  return [...text.matchAll(/^(c\d+) \((?:pre|post)-merge, (judged|checked by: .*?)\) (.*)$/gm)].map(
    ([, id = '', how = '', words = '']) => ({ id, text: words, judged: how === 'judged' }),
  );
}
