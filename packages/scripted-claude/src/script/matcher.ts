import type { ModelRequest } from '../protocol/model-request.js';

/** Which requests a script answers. Everything stated must hold; an empty matcher takes any request. */
export interface Matcher {
  /** The slash command without its slash: `sluice:code`. */
  readonly skill?: string;
  /** A number, or `owner/name#42`. */
  readonly issue?: number | string;
  /** Number of assistant messages so far. */
  readonly turn?: number;
  /** Text (or texts, all of them) in the first prompt. */
  readonly promptIncludes?: string | readonly string[];
  /** Text (or texts) in the newest user text: a nudge, or the prompt of a resumed session. */
  readonly latestIncludes?: string | readonly string[];
  readonly model?: string;
  /** A tool that is offered, by name. */
  readonly tool?: string;
  readonly stream?: boolean;
  /** Anything else; only in scripts written as code. */
  readonly predicate?: (request: ModelRequest) => boolean;
}

export function matches(when: Matcher, request: ModelRequest): boolean {
  return (
    (when.skill === undefined || request.skill?.name === when.skill) &&
    (when.issue === undefined || isIssue(when.issue, request)) &&
    (when.turn === undefined || request.turn === when.turn) &&
    includesAll(request.prompt, when.promptIncludes) &&
    includesAll(request.latest, when.latestIncludes) &&
    (when.model === undefined || request.model === when.model) &&
    (when.tool === undefined || request.tools.some((tool) => tool.name === when.tool)) &&
    (when.stream === undefined || request.stream === when.stream) &&
    (when.predicate === undefined || when.predicate(request))
  );
}

function includesAll(text: string, wanted: string | readonly string[] | undefined): boolean {
  if (wanted === undefined) return true;
  return [wanted].flat().every((part) => text.includes(part));
}

function isIssue(wanted: number | string, { issue }: ModelRequest): boolean {
  if (issue === null) return false;
  if (typeof wanted === 'number') return issue.number === wanted;
  return `${issue.repository ?? ''}#${issue.number}`.toLowerCase() === wanted.toLowerCase();
}
