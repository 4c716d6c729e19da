/** What the next phase should know: kept small, given to every cold start. */
export interface Handoff {
  readonly progress: string;
  readonly files: readonly string[];
  readonly testStatus: 'passed' | 'failed' | 'not-run';
  readonly decisions: readonly string[];
  readonly openErrors: readonly string[];
}

/** What could be seen of a session from outside. */
export interface SessionTrace {
  /** What the agent said last, oldest first. */
  readonly messages: readonly string[];
  /** Commands it ran last, and whether each went well. */
  readonly commands: readonly { readonly command: string; readonly failed: boolean }[];
  /** Files it wrote. */
  readonly files: readonly string[];
  /** What git says about the checkout. */
  readonly changes: string;
}

const MAX_TEXT = 3000;

/** A handoff for an agent that could not give one: what was seen from outside. `null` when nothing was. */
export function makeHandoff({ messages, commands, files, changes }: SessionTrace): Handoff | null {
  const parts = [
    messages.length === 0 ? '' : `The agent said last: ${messages.join(' … ')}`,
    changes.trim() === '' ? '' : `The checkout has changed:\n${changes.trim()}`,
    commands.length === 0
      ? ''
      : `Its last commands: ${commands.map(({ command, failed }) => `${command} (${failed ? 'failed' : 'went well'})`).join('; ')}.`,
  ].filter((part) => part !== '');
  if (parts.length === 0 && files.length === 0) return null;
  const failed = commands.at(-1)?.failed === true ? [`The last command failed: ${commands.at(-1)?.command ?? ''}`] : [];
  const progress = ['(service-made: the agent gave no handoff)', ...parts].join('\n').slice(0, MAX_TEXT);
  return { progress, files, testStatus: testStatusOf(commands), decisions: [], openErrors: failed };
}

/** By the last command that looks like a run of the tests. */
function testStatusOf(commands: SessionTrace['commands']): Handoff['testStatus'] {
  const tests = commands.findLast(({ command }) => /\b(test|tests|pytest|jest|vitest|rspec)\b/.test(command));
  if (tests === undefined) return 'not-run';
  return tests.failed ? 'failed' : 'passed';
}

/** What was handed over before, with what has come since. */
export function joinHandoffs(earlier: Handoff | null, since: Handoff | null): Handoff | null {
  if (earlier === null || since === null) return earlier ?? since;
  return {
    progress: `${earlier.progress}\n\nSince then: ${since.progress}`,
    files: [...new Set([...earlier.files, ...since.files])],
    testStatus: since.testStatus === 'not-run' ? earlier.testStatus : since.testStatus,
    decisions: [...earlier.decisions, ...since.decisions],
    openErrors: [...earlier.openErrors, ...since.openErrors],
  };
}

/** A handoff as the agent that goes on reads it. */
export function handoffText({ progress, files, testStatus, decisions, openErrors }: Handoff): string {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `- ${item.trim().replaceAll('\n', '\n  ')}`)];
  const seen = [
    ...(files.length === 0 ? [] : [`Files: ${files.join(', ')}.`]),
    testStatus === 'not-run' ? 'Tests were not run.' : `Tests ${testStatus}.`,
  ];
  return [progress, ...seen, ...list('Decisions', decisions), ...list('Open errors', openErrors)].join('\n');
}
