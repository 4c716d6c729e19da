import type { Command } from '../../domain/commands/command.js';
import { renderHelp } from '../../domain/commands/command-help.js';
import { isRunning, landedCommit, currentPhase, stateOf } from '../../domain/state/evidence.js';
import { statusFacts } from '../../domain/decide/activity.js';
import { decide } from '../../domain/decide/decide.js';
import { nextStep } from '../../domain/decide/next-step.js';
import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import type { RunOptions } from '../../domain/issue/options.js';
import type { Actor, IssueSnapshot } from '../../domain/state/snapshot.js';
import { type Instant, formatInstant } from '../../domain/issue/instant.js';
import { dryRunAnswer, explainAnswer, statusAnswer } from '../../domain/render/replies/answers.js';
import type { Refusal } from '../../domain/render/replies/refusals.js';
import { GitHubError } from '../../ports/github.js';
import { approve } from '../intent/approve.js';
import { reconcileFrom } from '../reconcile/reconcile.js';
import type { Engine } from '../engine.js';
import { unvouchedText } from '../issue/issue-text.js';
import { observe } from '../issue/observe.js';
import { previewStart, start, type StartRequest } from '../intent/start.js';
import { requestStop } from '../intent/request-stop.js';

/** A command whose author is permitted to give it, and where it was given. */
export interface CommandContext {
  /** The issue it was written on. */
  readonly ref: IssueRef;
  readonly by: Actor;
  /** When, by GitHub's clock. */
  readonly at: Instant;
  /** The issue as it was read when the command came in; saves a request. */
  readonly seen: IssueSnapshot | null;
}

/** The result of a command. Without refusals it was carried out or is under way. */
export interface CommandResult {
  readonly refusals: readonly Refusal[];
  /** Replies for the author. */
  readonly texts: readonly string[];
}

const DONE: CommandResult = { refusals: [], texts: [] };
const refuseWith = (...refusals: readonly Refusal[]): CommandResult => ({ refusals: refusals, texts: [] });
const answerWith = (...texts: readonly string[]): CommandResult => ({ refusals: [], texts: texts });

/** Carries out a command of a permitted person. Safe to repeat. */
export async function executeCommand(
  engine: Engine,
  command: Command,
  context: CommandContext,
): Promise<CommandResult> {
  switch (command.kind) {
    case 'auto':
      return startAll(engine, context, numbersOf(command.numbers, context), command.options);
    case 'batch':
      if (command.of.kind !== 'list') return refuseWith({ kind: 'batch-unlisted', of: command.of.kind });
      return startBatch(engine, context, command.of.numbers, command.options);
    case 'resume':
      return resumeRun(engine, context, command.number, { options: command.options, addsOptions: true });
    case 'continue':
      return resumeRun(engine, context, command.number, {
        guidance: command.text === '' ? undefined : command.text,
        isContinue: true,
      });
    case 'retry':
      return retryPhase(engine, context, command);
    case 'stop':
    case 'pause':
      return stopRun(engine, context, command);
    case 'approve':
      return approvePending(engine, context, command);
    case 'status':
    case 'explain':
      return answerQuestion(engine, targetIssue(context, command.number), command.kind);
    case 'help':
      return answerWith(renderHelp());
  }
}

const targetIssue = ({ ref }: CommandContext, number: number | null): IssueRef => ({
  ...ref,
  number: number ?? ref.number,
});

const numbersOf = (numbers: readonly number[], { ref }: CommandContext): readonly number[] =>
  numbers.length === 0 ? [ref.number] : numbers;

async function startAll(
  engine: Engine,
  context: CommandContext,
  numbers: readonly number[],
  options: RunOptions,
): Promise<CommandResult> {
  const all: CommandResult[] = [];
  for (const number of numbers) all.push(await startOne(engine, context, { number, options }));
  return { refusals: all.flatMap((one) => one.refusals), texts: all.flatMap((one) => one.texts) };
}

/** Issues of a batch run one after another: each waits for the one before it, unless that one could not be started. */
async function startBatch(
  engine: Engine,
  context: CommandContext,
  numbers: readonly number[],
  options: RunOptions,
): Promise<CommandResult> {
  const all: CommandResult[] = [];
  let after: number | null = null;
  for (const [index, number] of numbers.entries()) {
    const batch = { after, before: numbers[index + 1] ?? null };
    const one = await startOne(engine, context, { number, options, batch });
    if (one.refusals.length === 0) after = number;
    all.push(one);
  }
  return { refusals: all.flatMap((one) => one.refusals), texts: all.flatMap((one) => one.texts) };
}

type StartOptions = Pick<
  StartRequest,
  'options' | 'addsOptions' | 'guidance' | 'retry' | 'isContinue' | 'batch' | 'approvedText'
> & {
  readonly number: number;
};

async function startOne(
  engine: Engine,
  context: CommandContext,
  { number, ...wanted }: StartOptions,
): Promise<CommandResult> {
  const ref = targetIssue(context, number);
  const by = { id: context.by.id, login: context.by.login };
  const seen = context.seen?.ref.number === number ? context.seen : null;
  const request = { ref, at: context.at, by, seen, ...wanted };
  if (wanted.options?.dryRun === true) return dryRun(engine, request);
  const line = wanted.batch === undefined ? { startsAt: () => engine.requestQuota.reserveStart(ref) } : {};
  const started = await start(engine, { ...request, ...line });
  engine.log.info({ issue: formatIssue(ref), by: by.login, started: started.kind }, 'run requested');
  switch (started.kind) {
    case 'gone':
    case 'closed':
      return refuseWith({ kind: started.kind === 'gone' ? 'issue-gone' : 'issue-closed', number });
    case 'text-changed':
      return refuseWith({ kind: 'text-changed', number });
    case 'still-leased':
      return refuseWith({ kind: 'still-leased', number, until: started.until });
    case 'text-unvouched':
      return refuseWith({ ...started, number });
    case 'already-running':
      // Nothing else may wake this run.
      await engine.queue.wake(ref);
      if (isStopping(started.snapshot, context.at)) return refuseWith({ kind: 'stopping', number });
      return explainIgnoredText(engine, context, started.snapshot);
    case 'started':
      // The start is already written, so a rate limit only delays the next step.
      await reconcileFrom(engine, started.snapshot).catch((error: unknown) => requeueAt(engine, ref, error));
      return DONE;
  }
}

/** When the error names a time (GitHub's limit or our own share of it), requeue the issue for that time. */
async function requeueAt(engine: Engine, ref: IssueRef, error: unknown): Promise<void> {
  if (!(error instanceof GitHubError) || error.until === null) throw error;
  engine.log.warn({ issue: formatIssue(ref), until: formatInstant(error.until) }, 'requeued for later');
  await engine.queue.wakeAt(ref, error.until);
}

/** A second start of a running issue does not authorise edited text; tell the author so. */
async function explainIgnoredText(
  engine: Engine,
  context: CommandContext,
  snapshot: IssueSnapshot,
): Promise<CommandResult> {
  const { run } = stateOf(snapshot);
  if (run === null || context.at <= run.startedAt || !isRunning(snapshot) || landedCommit(snapshot) !== null)
    return DONE;
  const unvouched = await unvouchedText(engine, snapshot, run.authorised);
  return unvouched === null ? DONE : refuseWith({ kind: 'text-unvouched', number: snapshot.ref.number, ...unvouched });
}

/** Whether an earlier stop has not taken effect yet. Asking for the run again does not cancel it. */
function isStopping(snapshot: IssueSnapshot, at: Instant): boolean {
  const { pendingRequest: request } = stateOf(snapshot);
  return request?.kind === 'stop' && request.at <= at;
}

async function dryRun(engine: Engine, request: StartRequest): Promise<CommandResult> {
  const { ref, seen } = request;
  const running = seen != null && isRunning(seen) ? seen : null;
  const snapshot = running ?? (await previewStart(engine, request));
  if (snapshot === null) return refuseWith({ kind: 'issue-gone', number: ref.number });
  const input = { snapshot, policy: await engine.policyFor(snapshot), now: snapshot.readAt };
  const upcoming = nextStep(input);
  const facts = statusFacts(input, upcoming);
  return answerWith(dryRunAnswer(snapshot, input.policy, { upcoming, facts, isRunning: running !== null }));
}

/** Continues a stopped run. A run in progress needs nothing. */
async function resumeRun(
  engine: Engine,
  context: CommandContext,
  number: number | null,
  wanted: Pick<StartRequest, 'guidance' | 'options' | 'addsOptions' | 'isContinue'>,
): Promise<CommandResult> {
  const ref = targetIssue(context, number);
  const snapshot = await observe(engine, ref);
  if (snapshot === null) return refuseWith({ kind: 'issue-gone', number: ref.number });
  if (stateOf(snapshot).run === null) return refuseWith({ kind: 'never-started', number: ref.number });
  return startOne(engine, context, { number: ref.number, ...wanted });
}

async function retryPhase(
  engine: Engine,
  context: CommandContext,
  command: Extract<Command, { kind: 'retry' }>,
): Promise<CommandResult> {
  const ref = targetIssue(context, command.number);
  const snapshot = await observe(engine, ref);
  if (snapshot === null) return refuseWith({ kind: 'issue-gone', number: ref.number });
  const { run } = stateOf(snapshot);
  if (run === null) return refuseWith({ kind: 'never-started', number: ref.number });
  // A redelivered command finds the run that it started itself.
  if (isRunning(snapshot))
    return context.at <= run.startedAt ? DONE : refuseWith({ kind: 'already-running', number: ref.number });
  return startOne(engine, context, { number: ref.number, retry: command.phase ?? currentPhase(snapshot) });
}

async function stopRun(
  engine: Engine,
  context: CommandContext,
  { kind, number }: Extract<Command, { kind: 'stop' | 'pause' }>,
): Promise<CommandResult> {
  const ref = targetIssue(context, number);
  const answer = await requestStop(engine, { ref, kind, by: context.by.login, at: context.at });
  if (answer === 'noted') return DONE;
  return refuseWith({ kind: answer === 'gone' ? 'issue-gone' : 'not-running', number: ref.number });
}

async function approvePending(
  engine: Engine,
  context: CommandContext,
  { number, hash }: Extract<Command, { kind: 'approve' }>,
): Promise<CommandResult> {
  const ref = targetIssue(context, number);
  const approval = await approve(engine, { ref, by: context.by.login, at: context.at, hash });
  switch (approval.kind) {
    case 'approved':
      return DONE;
    case 'text-at-rest':
      return startOne(engine, context, { number: ref.number, addsOptions: true, approvedText: approval.hash });
    case 'text-unvouched':
    case 'text-too-late':
      return refuseWith({ ...approval, number: ref.number });
    case 'gone':
      return refuseWith({ kind: 'issue-gone', number: ref.number });
    case 'other-hash':
      return refuseWith({ kind: 'other-hash', hash: hash ?? '' });
    case 'other-commit':
      return refuseWith({ kind: 'other-commit', commit: approval.commit });
    case 'nothing-to-approve':
      return refuseWith({ kind: 'nothing-to-approve', number: ref.number });
  }
}

async function answerQuestion(engine: Engine, ref: IssueRef, question: 'status' | 'explain'): Promise<CommandResult> {
  const snapshot = await observe(engine, ref);
  if (snapshot === null) return refuseWith({ kind: 'issue-gone', number: ref.number });
  await engine.queue.wake(ref);
  const policy = await engine.policyFor(snapshot);
  const input = { snapshot, policy, now: snapshot.readAt };
  if (question === 'status') return answerWith(statusAnswer(snapshot, policy, statusFacts(input)));
  return answerWith(explainAnswer(snapshot, decide(snapshot, policy, input.now), nextStep(input)));
}
