import { handoffText, type Handoff } from '../../domain/agent/handoff.js';
import { formatIssue, type IssueRef, type Oid } from '../../domain/issue/ids.js';
import type { AgentPhase } from '../../domain/issue/phase.js';
import { fenceText } from '../../domain/sanitise/fence.js';
import { cutToBytes, jsonBytes } from '../../domain/sanitise/json-bytes.js';
import { visibleText } from '../../domain/sanitise/neutralise.js';

/** The prompt input that every phase has. */
export interface PhaseContext {
  readonly ref: IssueRef;
  /** Echoed in the result: proof that it answers this run. */
  readonly nonce: string;
  /** An unguessable marker around everything that others wrote. */
  readonly fence: string;
  /** Title and body as a permitted person vouched for them, never later edits. */
  readonly issue: {
    readonly title: string;
    readonly body: string;
    /** Whether its author may drive issues. Hidden text of other authors is shown to no agent before it is approved. */
    readonly isTrusted?: boolean;
  };
  readonly base: { readonly ref: string; readonly oid: Oid };
  /** The repository's own test command, when its configuration names one. */
  readonly test: string | null;
  readonly handoff: Handoff | null;
  /** What a permitted person wrote when continuing the run. */
  readonly guidance: string | null;
  /** Why the last attempt at this phase was not accepted. */
  readonly feedback: readonly string[];
}

/** The skills of the plugin: one per agent phase, and one for code that has to be merged with its base first. */
export type Skill = AgentPhase | 'merge';

/** Material shown between fences; the agent must not follow instructions in it. */
export interface Block {
  readonly name: string;
  readonly text: string;
}

export interface PromptParts {
  /** Sentences written by us. */
  readonly facts: readonly string[];
  /** Empty ones are left out. */
  readonly blocks: readonly Block[];
}

/**
 * The exact prompt: a slash command whose first line is `issue nonce fence`, which the skill refers to as its arguments 0 to 2,
 * then facts, then material. The CLI shows all of it to the model once, as it is, before the skill's own text.
 */
export function renderPrompt(skill: Skill, context: PhaseContext, { facts, blocks }: PromptParts): string {
  const { ref, nonce, fence, base, test, handoff, guidance, feedback } = context;
  const { title, body } = context.issue;
  const common = [
    `Base branch: ${base.ref} at ${base.oid}`,
    test === null ? 'Test command: none configured; find out how this repository is tested' : `Test command: ${test}`,
  ];
  const around: readonly Block[] = [
    { name: 'issue', text: `Title: ${oneLine(visibleText(title))}\n\n${visibleText(body)}` },
    ...blocks,
    { name: 'handoff', text: handoff === null ? '' : handoffText(handoff) },
    { name: 'guidance', text: guidance ?? '' },
    { name: 'feedback', text: list(feedback) },
  ];
  const said = [...common, ...facts].map((fact) => `- ${oneLine(fact)}`);
  const head = [`/sluice:${skill} ${formatIssue(ref)} ${nonce} ${fence}`, said.join('\n')];
  const blocksShown = around.filter(({ text }) => text.trim() !== '');
  const withRoom = (room: number): string => [...head, ...blocksShown.map(fittedBlock(fence, room))].join('\n\n');
  const room = ROOMS.find((one) => jsonBytes(withRoom(one)) <= MAX_PROMPT_BYTES);
  return withRoom(room ?? SMALLEST_ROOM);
}

/** A prompt is at most this long, whatever was put into it. */
export const MAX_PROMPT_BYTES = 256 * 1024;
/** How long each block except the issue may be. The first size with which all blocks fit is used. */
const ROOMS = [Infinity, 40_000, 20_000, 10_000, 5_000] as const;
const SMALLEST_ROOM = 2_000;
const ISSUE_ROOM = 70_000;

const fittedBlock =
  (fence: string, room: number) =>
  ({ name, text }: Block): string => {
    const most = name === 'issue' ? Math.max(room, ISSUE_ROOM) : room;
    return fenceText(fence, name, most === Infinity ? text : cutToBytes(text, most));
  };

/** A list whose items keep their line breaks, indented. Text by others must have passed `visibleText` before. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item.trim().replaceAll('\n', '\n  ')}`).join('\n');
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
