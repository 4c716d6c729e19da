import { z } from 'zod';
import type { SessionTrace } from '../../domain/agent/handoff.js';
import type { StreamEvent, ToolEnd } from './stream-event.js';

/** What the stream alone shows of a run. */
export interface Trace extends Omit<SessionTrace, 'changes'> {
  /** Commands that have not ended yet, by the id of their tool call. */
  readonly open: Readonly<Record<string, string>>;
}

export const NO_TRACE: Trace = { messages: [], commands: [], files: [], open: {} };

const KEPT_MESSAGES = 3;
const KEPT_COMMANDS = 5;
const KEPT_FILES = 30;
/** More open commands than any honest agent has. The record is copied with each, so it is bounded. */
const KEPT_OPEN = 50;
const MAX_PATH = 500;
const MAX_MESSAGE = 500;
const MAX_COMMAND = 200;

const commandInput = z.object({ command: z.string() });
const fileInput = z.object({ file_path: z.string() });
const WRITING_TOOLS = ['Write', 'Edit', 'NotebookEdit'];

/** Adds one event. Only the newest entries stay: they are for the next session, not a record. */
export function withTrace(trace: Trace, event: StreamEvent): Trace {
  if (event.kind === 'tool-results') return event.results.reduce(withToolEnd, trace);
  if (event.kind !== 'message') return trace;
  return event.parts.reduce((known, part) => {
    if (part.kind === 'text') {
      const messages = [...known.messages, part.text.trim().slice(0, MAX_MESSAGE)].slice(-KEPT_MESSAGES);
      return { ...known, messages };
    }
    const command = commandInput.safeParse(part.input).data?.command;
    if (part.name === 'Bash' && command !== undefined) {
      const open = [...Object.entries(known.open), [part.id, command.slice(0, MAX_COMMAND)]].slice(-KEPT_OPEN);
      return { ...known, open: Object.fromEntries(open) };
    }
    const file = WRITING_TOOLS.includes(part.name)
      ? fileInput.safeParse(part.input).data?.file_path.slice(0, MAX_PATH)
      : undefined;
    if (file === undefined) return known;
    return { ...known, files: [...known.files.filter((other) => other !== file), file].slice(-KEPT_FILES) };
  }, trace);
}

function withToolEnd(trace: Trace, { tool, isError }: ToolEnd): Trace {
  const { [tool]: command, ...open } = trace.open;
  if (command === undefined) return trace;
  return { ...trace, open, commands: [...trace.commands, { command, failed: isError }].slice(-KEPT_COMMANDS) };
}
