import type { AgentModel } from '../../ports/agent.js';

/** Which of the repository's settings the CLI may use: hooks, permissions, memory files and skills. */
export type SettingSources = 'none' | 'project';

export interface Invocation {
  /** The `claude` program. */
  readonly claude: string;
  /** The plugin with the phases' skills. */
  readonly plugin: string;
  readonly session: Session;
  readonly settingSources: SettingSources;
  /** JSON schema of the result. */
  readonly schema: object;
  readonly model: AgentModel;
  readonly maxTurns: number;
  readonly budgetUsd: number | null;
}

/** The session a step belongs to. */
export interface Session {
  readonly id: string;
  /** Whether an earlier session continues. */
  readonly isResumed: boolean;
}

/** Tools a run must not have. This keeps it on its task; the security boundary is the sandbox. */
const REFUSED_TOOLS = [
  // They outlive the run: nobody is there when they come back.
  ['ScheduleWakeup', 'Workflow', 'CronCreate', 'CronDelete', 'CronList', 'Monitor', 'SendMessage', 'ListAgents'],
  // They move the work out of the checkout, where nobody collects it.
  ['EnterWorktree', 'ExitWorktree'],
  // Findings belong in the result.
  ['ReportFindings'],
  // They reach the network, one of them from the API's side.
  ['WebFetch', 'WebSearch'],
].flat();

/** Builds the command line of the CLI. The prompt comes on stdin: it may be too long for an argument, and `ps` shows arguments. */
export function claudeArgv(invocation: Invocation): [string, ...string[]] {
  const { claude, plugin, session, settingSources, schema, model, maxTurns, budgetUsd } = invocation;
  const options = [
    ['--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
    [session.isResumed ? '--resume' : '--session-id', session.id],
    ['--max-turns', String(maxTurns)],
    budgetUsd === null ? [] : ['--max-budget-usd', String(budgetUsd)],
    model.id === null ? [] : ['--model', model.id],
    model.fallback === null ? [] : ['--fallback-model', model.fallback],
    ['--setting-sources', settingSources === 'none' ? '' : settingSources],
    ['--strict-mcp-config'],
    ['--plugin-dir', plugin],
    ['--json-schema', JSON.stringify(schema)],
    [`--disallowedTools=${REFUSED_TOOLS.join(',')}`],
    ['--dangerously-skip-permissions'],
  ];
  return [claude, '-p', ...options.flat()];
}
