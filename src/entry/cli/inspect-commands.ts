import { formatInstant } from '../../domain/issue/instant.js';
import { Argument, Command } from 'commander';
import { systemClock } from '../../adapters/clock/system-clock.js';
import { detectSandbox } from '../../adapters/sandbox/detect-sandbox.js';
import type { Action } from '../../domain/action/action.js';
import { currentPhase, routeFor, sizeOf, stateOf } from '../../domain/state/evidence.js';
import { decide } from '../../domain/decide/decide.js';
import { formatIssue, type IssueRef, shortOid } from '../../domain/issue/ids.js';
import { AGENT_PHASES, type AgentPhase } from '../../domain/issue/phase.js';
import { formatRoute } from '../../domain/issue/route.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { nextStep } from '../../domain/decide/next-step.js';
import { guardsText } from '../../domain/render/phrases/sandbox-limits.js';
import type { HistoryEntry } from '../../ports/state-store.js';
import { subjectOf } from '../../usecases/issue/observe.js';
import { renderPhase } from '../../usecases/phases/render-phase.js';
import { CommandFailure } from './command-failure.js';
import { issueArgument, withIssue, print } from './with-issue.js';
import { chosenCgroup, chosenRedis, programPath } from './settings.js';

/* Commands that only read. They need no Redis and no model, and run nothing except a trial of the sandbox. */

interface Flags {
  readonly json?: true;
}

/** `sluice explain`: what would be done next, and why. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('Say what Sluice would do next for an issue, and why.')
    .addArgument(issueArgument())
    .option('--json', 'print one JSON object')
    .action((ref: IssueRef, { json }: Flags) =>
      withIssue(ref, async (connection, snapshot) => {
        const policy = await connection.policyFor(snapshot);
        const input = { snapshot, policy, now: snapshot.readAt };
        const action = decide(snapshot, policy, input.now);
        // The projection comes first; people also want to know the step after it.
        const then = action.kind === 'effect' && action.effect.kind === 'project' ? nextStep(input) : null;
        const sandbox = await sandboxHere();
        if (chosenRedis() === null && stateOf(snapshot).run !== null) process.stderr.write(BLIND);
        print(
          json === true
            ? JSON.stringify({ ...explanation(snapshot, action, then), sandbox })
            : `${explanationText(snapshot, action, then)}\n${sandboxText(sandbox)}`,
        );
      }),
    );
}

const BLIND =
  'Note: without SLUICE_REDIS_URL the account, the kill switch and the owner of a lease cannot be seen from here.\n';

/** `sluice history`: every change of an issue's state. */
export function historyCommand(): Command {
  return new Command('history')
    .description('Show every change of an issue’s state, newest first, with its reason.')
    .addArgument(issueArgument())
    .option('--json', 'print one JSON array')
    .action((ref: IssueRef, { json }: Flags) =>
      withIssue(ref, async ({ states }, snapshot) => {
        const entries = await states.history(subjectOf(snapshot));
        if (json === true) return print(JSON.stringify(entries.map(historyEntry)));
        print(entries.length === 0 ? `${formatIssue(ref)} has no history yet` : entries.map(historyLine).join('\n'));
      }),
    );
}

/** `sluice prompt`: the prompt an agent would get. */
export function promptCommand(): Command {
  return new Command('prompt')
    .description('Print the prompt the agent of a phase would get now.')
    .addArgument(new Argument('<phase>').choices(AGENT_PHASES))
    .addArgument(issueArgument())
    .action((phase: AgentPhase, ref: IssueRef) =>
      withIssue(ref, async (connection, snapshot) => {
        const prompt = await renderPhase({ engine: connection, snapshot }, phase);
        if (prompt === null) {
          throw new CommandFailure(
            `${formatIssue(ref)} is at ${currentPhase(snapshot)}: there is nothing for ${phase} to go by yet`,
          );
        }
        if (phase === 'review' || phase === 'verify')
          process.stderr.write('Note: the results of the criteria’s commands are left out; nothing was run.\n');
        print(prompt);
      }),
    );
}

/** The sandbox of this machine, which may differ from the service's. */
async function sandboxHere() {
  const cgroup = chosenCgroup() ?? undefined;
  const { sandbox, why } = await detectSandbox({ path: programPath(), clock: systemClock, graceMs: 0, cgroup });
  return { name: sandbox.name, guards: sandbox.guards, why };
}

function sandboxText({ name, guards, why }: Awaited<ReturnType<typeof sandboxHere>>): string {
  return `  sandbox  ${why === null ? name : `none (${why})`}; on this machine commands are held by ${guardsText(guards)}`;
}

function explanation(snapshot: IssueSnapshot, action: Action, then: Action | null) {
  return {
    issue: formatIssue(snapshot.ref),
    title: snapshot.title,
    state: snapshot.state,
    place: currentPhase(snapshot),
    size: sizeOf(snapshot),
    route: formatRoute(routeFor(snapshot)),
    stateRef: snapshot.reading.kind,
    action: readable(action),
    afterwards: then === null ? null : readable(then),
  };
}

const readable = (action: Action) =>
  'until' in action && action.until !== undefined ? { ...action, until: formatInstant(action.until) } : action;

function explanationText(snapshot: IssueSnapshot, action: Action, then: Action | null): string {
  const { issue, title, state, place, size, route } = explanation(snapshot, action, then);
  const { agentRuns } = stateOf(snapshot).counters;
  return [
    `${issue} (${state}): ${title}`,
    `  at       ${place}; size ${size ?? 'not known'}, route ${route}, ${agentRuns} agent runs so far`,
    `  next     ${actionText(action)}`,
    `  because  ${action.because}`,
    ...(then === null ? [] : [`  then     ${actionText(then)}`, `  because  ${then.because}`]),
  ].join('\n');
}

function actionText(action: Action): string {
  switch (action.kind) {
    case 'wait':
      return `wait (${action.hold ?? action.on})${action.until === undefined ? '' : ` until ${formatInstant(action.until)}`}`;
    case 'run':
      return `run ${action.phase}, attempt ${action.attempt}`;
    case 'effect':
      return action.effect.kind;
    case 'halt':
      return `stop: ${action.state} (${action.code})`;
  }
}

function historyEntry({ oid, at, because, reading }: HistoryEntry) {
  const last = reading.kind === 'valid' ? reading.state.transitions.at(-1) : undefined;
  return { oid, at: formatInstant(at), because, trusted: reading.kind === 'valid', phase: last?.phase ?? null };
}

function historyLine(entry: HistoryEntry): string {
  const { oid, at, because, trusted, phase } = historyEntry(entry);
  return `${at}  ${shortOid(oid)}  ${(trusted ? (phase ?? '') : 'NOT OURS').padEnd(8)}  ${because}`;
}
