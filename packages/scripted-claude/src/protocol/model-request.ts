import type { IncomingHttpHeaders } from 'node:http';
import { type Credential, credentialOf } from './credential.js';
import { type Message, messagesOf, type ToolResult, textsOf, toolResultsOf } from './conversation.js';
import { type IssueMention, mentionedIssue, type SkillCall, skillCallOf } from './skill-call.js';
import type { CountBody, MessagesBody } from './request-body.js';
import { estimateTokens } from './tokens.js';

/** A tool the client offers to the model. */
interface OfferedTool {
  readonly name: string;
  readonly inputSchema: unknown;
}

/** One request to the model, parsed once: what scripts choose by and tests assert on. */
export interface ModelRequest {
  readonly model: string;
  /** Whether the answer is wanted as server-sent events. */
  readonly stream: boolean;
  /** All system text: the `system` field and any `system` messages. */
  readonly system: string;
  readonly messages: readonly Message[];
  /** What was asked first: the last text block of the first user message (the CLI puts its reminders before it). */
  readonly prompt: string;
  /** What was asked last: the last text block of the newest user message that has text. Differs after a resume or a nudge. */
  readonly latest: string;
  /** The slash command that started this work, newest first. */
  readonly skill: SkillCall | null;
  /** The issue named in the skill's arguments, or else in the prompt. */
  readonly issue: IssueMention | null;
  readonly tools: readonly OfferedTool[];
  /** Number of assistant messages so far: 0 for the first request of a conversation. */
  readonly turn: number;
  /** Every tool result so far, oldest first. */
  readonly toolResults: readonly ToolResult[];
  readonly credential: Credential['kind'];
  /** The CLI's session id, when it sent one. */
  readonly sessionId: string | null;
  readonly estimatedInputTokens: number;
}

export function toModelRequest(body: MessagesBody | CountBody, headers: IncomingHttpHeaders): ModelRequest {
  const messages = messagesOf(body.messages);
  const users = messages.filter((message) => message.role === 'user').map((message) => textsOf(message));
  const prompt = users[0]?.at(-1) ?? '';
  const skill = skillCallOf(users.flat());
  const session = headers['x-claude-code-session-id'];
  return {
    model: body.model,
    stream: body['stream'] === true,
    system: systemText(body, messages),
    messages,
    prompt,
    latest: users.findLast((texts) => texts.length > 0)?.at(-1) ?? '',
    skill,
    issue: mentionedIssue(skill, prompt),
    tools: (body.tools ?? []).map((tool) => ({ name: tool.name, inputSchema: tool.input_schema })),
    turn: messages.filter((message) => message.role === 'assistant').length,
    toolResults: toolResultsOf(messages),
    credential: credentialOf(headers).kind,
    sessionId: typeof session === 'string' ? session : null,
    estimatedInputTokens: estimateTokens([body.system, body.tools, body.messages]),
  };
}

function systemText(body: CountBody, messages: readonly Message[]): string {
  const field = typeof body.system === 'string' ? [body.system] : (body.system ?? []).map((block) => block.text);
  const inline = messages.filter((message) => message.role === 'system').flatMap((message) => textsOf(message));
  return [...field, ...inline].join('\n');
}

/** One line that describes the request to a person. */
export function describeRequest(request: ModelRequest): string {
  const start = request.latest.replace(/\s+/g, ' ').trim().slice(0, 80);
  return [
    request.skill === null ? 'no skill' : `skill ${request.skill.name} "${request.skill.args}"`,
    request.issue === null ? 'no issue' : `issue ${request.issue.repository ?? ''}#${request.issue.number}`,
    `turn ${request.turn}`,
    `model ${request.model}`,
    request.stream ? 'streamed' : 'not streamed',
    `latest text "${start}"`,
  ].join(', ');
}
