/** What the next phase should know. Kept small, because every fresh session reads it. */
export interface Handoff {
  readonly progress: string;
  readonly files: readonly string[];
  readonly testStatus: 'passed' | 'failed' | 'not-run';
  readonly decisions: readonly string[];
  readonly openErrors: readonly string[];
}

/** What the service observed of a session. */
export interface SessionTrace {
  /** The agent's last messages, oldest first. */
  readonly messages: readonly string[];
  /** The last commands it ran, and whether each failed. */
  readonly commands: readonly { readonly command: string; readonly failed: boolean }[];
  /** Files it wrote. */
  readonly files: readonly string[];
  /** What git says about the checkout. */
  readonly changes: string;
}

const MAX_TEXT = 3000;

/** A handoff made from observations, for an agent that could not write one. `null` when nothing was observed. */
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

/** Taken from the last command that looks like a test run. */
function testStatusOf(commands: SessionTrace['commands']): Handoff['testStatus'] {
  const tests = commands.findLast(({ command }) => /\b(test|tests|pytest|jest|vitest|rspec)\b/.test(command));
  if (tests === undefined) return 'not-run';
  return tests.failed ? 'failed' : 'passed';
}

/** The earlier handoff, updated with the later one. */
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

/** A handoff as text for the agent that continues. */
export function handoffText({ progress, files, testStatus, decisions, openErrors }: Handoff): string {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `- ${item.trim().replaceAll('\n', '\n  ')}`)];
  const seen = [
    ...(files.length === 0 ? [] : [`Files: ${files.join(', ')}.`]),
    testStatus === 'not-run' ? 'Tests were not run.' : `Tests ${testStatus}.`,
  ];
  return [progress, ...seen, ...list('Decisions', decisions), ...list('Open errors', openErrors)].join('\n');
}
