import type { Command } from '../domain/command.js';
import { renderHelp } from '../domain/command-help.js';
import { isDone, landedCommit, placeOf, stateOf } from '../domain/completion.js';
import { decide } from '../domain/decide.js';
import { formatIssue, type IssueRef } from '../domain/ids.js';
import type { RunOptions } from '../domain/options.js';
import type { Account, IssueSnapshot } from '../domain/snapshot.js';
import type { Instant } from '../domain/state.js';
import { dryRunAnswer, explainAnswer, statusAnswer } from '../domain/words/answers.js';
import type { Refusal } from '../domain/words/refusals.js';
import { GitHubError } from '../ports/github.js';
import { approve } from './approve.js';
import { driveFrom } from './drive.js';
import type { Engine } from './engine.js';
import { unvouchedText } from './issue-text.js';
import { observe } from './observe.js';
import { preview, start, type StartRequest } from './start.js';
import { requestStop } from './stop.js';

/** A command somebody may give, and where they gave it. */
export interface Order {
  /** The issue it stands on. */
  readonly ref: IssueRef;
  readonly by: Account;
  /** When, by GitHub's clock. */
  readonly at: Instant;
  /** That issue as it was when the command was heard; saves a look. */
  readonly seen: IssueSnapshot | null;
}

/** What came of a command. Nothing refused means: done, or under way. */
export interface Obeyed {
  readonly refused: readonly Refusal[];
  /** What there is to say about it. */
  readonly said: readonly string[];
}

const DONE: Obeyed = { refused: [], said: [] };
const refused = (...refusals: readonly Refusal[]): Obeyed => ({ refused: refusals, said: [] });
const said = (...texts: readonly string[]): Obeyed => ({ refused: [], said: texts });

/** Carries out a command of somebody who may give it. Everything it does may be done again. */
export async function obey(engine: Engine, command: Command, order: Order): Promise<Obeyed> {
  switch (command.kind) {
    case 'auto':
      return startAll(engine, order, numbersOf(command.numbers, order), command.options);
    case 'batch':
      if (command.of.kind !== 'list') return refused({ kind: 'batch-unlisted', of: command.of.kind });
      return startBatch(engine, order, command.of.numbers, command.options);
    case 'resume':
      return goOn(engine, order, command.number, { options: command.options, goesOn: true });
    case 'continue':
      return goOn(engine, order, command.number, {
        guidance: command.text === '' ? undefined : command.text,
        isContinue: true,
      });
    case 'retry':
      return retry(engine, order, command);
    case 'stop':
    case 'pause':
      return stop(engine, order, command);
    case 'approve':
      return approved(engine, order, command);
    case 'status':
    case 'explain':
      return lookedAt(engine, at(order, command.number), command.kind);
    case 'help':
      return said(renderHelp());
  }
}

const at = ({ ref }: Order, number: number | null): IssueRef => ({ ...ref, number: number ?? ref.number });

const numbersOf = (numbers: readonly number[], { ref }: Order): readonly number[] =>
  numbers.length === 0 ? [ref.number] : numbers;

async function startAll(
  engine: Engine,
  order: Order,
  numbers: readonly number[],
  options: RunOptions,
): Promise<Obeyed> {
  const all: Obeyed[] = [];
  for (const number of numbers) all.push(await startOne(engine, order, { number, options }));
  return { refused: all.flatMap((one) => one.refused), said: all.flatMap((one) => one.said) };
}

/** One after the other: each waits for the one before it, unless that one could not be started. Asked for as one, they take one turn. */
async function startBatch(
  engine: Engine,
  order: Order,
  numbers: readonly number[],
  options: RunOptions,
): Promise<Obeyed> {
  const all: Obeyed[] = [];
  let after: number | null = null;
  for (const [index, number] of numbers.entries()) {
    const batch = { after, before: numbers[index + 1] ?? null };
    const one = await startOne(engine, order, { number, options, batch });
    if (one.refused.length === 0) after = number;
    all.push(one);
  }
  return { refused: all.flatMap((one) => one.refused), said: all.flatMap((one) => one.said) };
}

type Beginning = Pick<
  StartRequest,
  'options' | 'goesOn' | 'guidance' | 'retry' | 'isContinue' | 'batch' | 'approvedText'
> & {
  readonly number: number;
};

async function startOne(engine: Engine, order: Order, { number, ...wanted }: Beginning): Promise<Obeyed> {
  const ref = at(order, number);
  const by = { id: order.by.id, login: order.by.login };
  const seen = order.seen?.ref.number === number ? order.seen : null;
  const request = { ref, at: order.at, by, seen, ...wanted };
  if (wanted.options?.dryRun === true) return dryRun(engine, request);
  const line = wanted.batch === undefined ? { startsAt: () => engine.turns.start(ref) } : {};
  const started = await start(engine, { ...request, ...line });
  engine.log.info({ issue: formatIssue(ref), by: by.login, started: started.kind }, 'run requested');
  switch (started.kind) {
    case 'gone':
    case 'closed':
      return refused({ kind: started.kind === 'gone' ? 'issue-gone' : 'issue-closed', number });
    case 'text-changed':
      return refused({ kind: 'text-changed', number });
    case 'still-leased':
      return refused({ kind: 'still-leased', number, until: started.until });
    case 'text-unvouched':
      return refused({ ...started, number });
    case 'already-running':
      // This may be the only hint that is left of it.
      await engine.queue.wake(ref);
      if (isStopping(started.snapshot, order.at)) return refused({ kind: 'stopping', number });
      return ignoredText(engine, order, started.snapshot);
    case 'started':
      // It is durable: what GitHub has no room for now is done when its time has come.
      await driveFrom(engine, started.snapshot).catch((error: unknown) => comeBack(engine, ref, error));
      return DONE;
  }
}

/** Where GitHub, or what is left of its limits, names a time, the issue is looked at again then. */
async function comeBack(engine: Engine, ref: IssueRef, error: unknown): Promise<void> {
  if (!(error instanceof GitHubError) || error.until === null) throw error;
  engine.log.warn({ issue: formatIssue(ref), until: new Date(error.until).toISOString() }, 'looking again later');
  await engine.queue.wakeAt(ref, error.until);
}

/** Asking for a run that is going vouches for nothing: whoever thinks it does is told. */
async function ignoredText(engine: Engine, order: Order, snapshot: IssueSnapshot): Promise<Obeyed> {
  const { run } = stateOf(snapshot);
  if (run === null || order.at <= run.startedAt || !isGoing(snapshot) || landedCommit(snapshot) !== null) return DONE;
  const unvouched = await unvouchedText(engine, snapshot, run.authorised);
  return unvouched === null ? DONE : refused({ kind: 'text-unvouched', number: snapshot.ref.number, ...unvouched });
}

/** A stop that was said before this and has not taken effect yet: the run will not go on by being asked for again. */
function isStopping(snapshot: IssueSnapshot, at: Instant): boolean {
  const { wish } = stateOf(snapshot);
  return wish?.kind === 'stop' && wish.at <= at;
}

function isGoing(snapshot: IssueSnapshot): boolean {
  const { run, halt } = stateOf(snapshot);
  return run !== null && halt === null && !isDone(snapshot);
}

async function dryRun(engine: Engine, request: StartRequest): Promise<Obeyed> {
  const { ref, seen } = request;
  const going = seen != null && isGoing(seen) ? seen : null;
  const snapshot = going ?? (await preview(engine, request));
  if (snapshot === null) return refused({ kind: 'issue-gone', number: ref.number });
  return said(dryRunAnswer(snapshot, await engine.policyFor(snapshot), going !== null));
}

/** A run that rests goes on; one that is going needs nothing. */
async function goOn(
  engine: Engine,
  order: Order,
  number: number | null,
  wanted: Pick<StartRequest, 'guidance' | 'options' | 'goesOn' | 'isContinue'>,
): Promise<Obeyed> {
  const ref = at(order, number);
  const snapshot = await observe(engine, ref);
  if (snapshot === null) return refused({ kind: 'issue-gone', number: ref.number });
  if (stateOf(snapshot).run === null) return refused({ kind: 'never-started', number: ref.number });
  return startOne(engine, order, { number: ref.number, ...wanted });
}

async function retry(engine: Engine, order: Order, command: Extract<Command, { kind: 'retry' }>): Promise<Obeyed> {
  const ref = at(order, command.number);
  const snapshot = await observe(engine, ref);
  if (snapshot === null) return refused({ kind: 'issue-gone', number: ref.number });
  const { run, halt } = stateOf(snapshot);
  if (run === null) return refused({ kind: 'never-started', number: ref.number });
  // A command delivered again after it was carried out finds the run it started.
  if (halt === null && !isDone(snapshot))
    return order.at <= run.startedAt ? DONE : refused({ kind: 'already-running', number: ref.number });
  return startOne(engine, order, { number: ref.number, retry: command.phase ?? placeOf(snapshot) });
}

async function stop(
  engine: Engine,
  order: Order,
  { kind, number }: Extract<Command, { kind: 'stop' | 'pause' }>,
): Promise<Obeyed> {
  const ref = at(order, number);
  const answer = await requestStop(engine, { ref, kind, by: order.by.login, at: order.at });
  if (answer === 'noted') return DONE;
  return refused({ kind: answer === 'gone' ? 'issue-gone' : 'not-running', number: ref.number });
}

async function approved(
  engine: Engine,
  order: Order,
  { number, hash }: Extract<Command, { kind: 'approve' }>,
): Promise<Obeyed> {
  const ref = at(order, number);
  const approval = await approve(engine, { ref, by: order.by.login, at: order.at, hash });
  switch (approval.kind) {
    case 'approved':
      return DONE;
    case 'text-at-rest':
      return startOne(engine, order, { number: ref.number, goesOn: true, approvedText: approval.hash });
    case 'text-unvouched':
    case 'text-too-late':
      return refused({ ...approval, number: ref.number });
    case 'gone':
      return refused({ kind: 'issue-gone', number: ref.number });
    case 'other-hash':
      return refused({ kind: 'other-hash', hash: hash ?? '' });
    case 'other-commit':
      return refused({ kind: 'other-commit', commit: approval.commit });
    case 'nothing-to-approve':
      return refused({ kind: 'nothing-to-approve', number: ref.number });
  }
}

async function lookedAt(engine: Engine, ref: IssueRef, asked: 'status' | 'explain'): Promise<Obeyed> {
  const snapshot = await observe(engine, ref);
  if (snapshot === null) return refused({ kind: 'issue-gone', number: ref.number });
  await engine.queue.wake(ref);
  const policy = await engine.policyFor(snapshot);
  if (asked === 'status') return said(statusAnswer(snapshot, policy));
  return said(explainAnswer(snapshot, policy, decide(snapshot, policy, snapshot.readAt)));
}
