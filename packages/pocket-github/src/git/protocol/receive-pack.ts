import { Duplex, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { execa } from 'execa';
import { GitCommands } from '../git-command.js';
import { type GitLimits, servingOptions } from '../git-process.js';
import type { GitRepository, RefUpdate } from '../git-repository.js';
import { IncomingUpdate } from './incoming-update.js';
import { explainRefusals } from './push-report.js';
import { type PushRequest, readPushRequest } from './push-request.js';
import { answerHooks } from './receive-hook.js';

/** Why a ref may not be pushed. */
export interface Refusal {
  /** What `git push` shows in brackets, e.g. `protected branch hook declined`. */
  readonly reason: string;
  /** Lines it shows after `remote:`. */
  readonly lines?: readonly string[];
}

/** Asked about each pushed ref before any of them moves. `null` lets it pass. */
export type PushPolicy = (update: RefUpdate, incoming: IncomingUpdate) => Promise<Refusal | null>;

/** How a push ended. */
export interface Received {
  /** The answer for the client; `null` when git did not end or had no output. */
  readonly output: Buffer | null;
  /** Why there is no output. */
  readonly problem: string;
  /** The refs that really moved, even if the client gets another answer. */
  readonly updates: readonly RefUpdate[];
  /** All that were pushed, moved or not. */
  readonly refs: readonly PushedRef[];
}

/** One ref of a push and what became of it. */
export interface PushedRef extends RefUpdate {
  readonly moved: boolean;
  /** Why the policy refused it; `null` when it did not. */
  readonly refused: string | null;
}

const PULL_REF: Refusal = { reason: 'deny updating a hidden ref' };
const WITH_THE_REST: Refusal = { reason: 'atomic push failure' };

/** Runs one push through `git receive-pack`. Its caller keeps others from moving the repository's refs meanwhile. */
export async function receivePack(
  git: GitRepository,
  body: Readable,
  policy: PushPolicy,
  limits: GitLimits,
): Promise<Received> {
  const push = await readPushRequest(body);
  const before = await git.listRefs();
  const receiver = startReceiver(git.path, limits);
  const channel = receiver.stdio[3];
  if (!(channel instanceof Duplex)) throw new Error('descriptor 3 of receive-pack is not a channel');
  // Killed, git may leave a hook or an unpacker behind: both end when what they wait for does.
  receiver.once('exit', () => [channel, receiver.stdin].forEach((stream) => stream.destroy()));
  let refusals: ReadonlyMap<string, Refusal> = new Map();
  const answered = answerHooks(channel, {
    incoming: async (quarantine) => {
      refusals = await judge(push, policy, new GitCommands(git.path, limits.deadlineMs), quarantine);
      // Refusing here, rather than ref by ref, leaves none of the new objects behind.
      return push.commands.some(({ name }) => !refusals.has(name));
    },
    update: (ref) => !refusals.has(ref),
  });
  // git may end before it has read everything, and then says why itself.
  pipeline(push.body, receiver.stdin).catch(() => undefined);
  const [result, conversation] = await Promise.allSettled([
    receiver,
    // Once git has ended nobody waits for an answer, however long the policy takes.
    Promise.race([answered, receiver]),
  ]);
  if (result.status === 'rejected') throw result.reason;
  if (conversation.status === 'rejected') throw conversation.reason;
  const after = await git.listRefs();
  const { exitCode, shortMessage = '' } = result.value;
  const output = Buffer.from(result.value.stdout);
  const failed = exitCode === undefined || (exitCode !== 0 && output.length === 0);
  const moved = ({ name, before: old, after: now }: RefUpdate): boolean =>
    old !== now && (before.get(name) ?? null) === old && (after.get(name) ?? null) === now;
  return {
    output: failed ? null : refusals.size === 0 ? output : explained(output, push, refusals),
    problem: failed ? `${shortMessage} ${Buffer.from(result.value.stderr).toString()}`.trim() : '',
    updates: push.commands.filter(moved),
    refs: push.commands.map((update) => ({
      ...update,
      moved: moved(update),
      refused: refusals.get(update.name)?.reason ?? null,
    })),
  };
}

const startReceiver = (path: string, limits: GitLimits) =>
  execa('git', ['receive-pack', '--stateless-rpc', path], {
    ...servingOptions(path, limits),
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    encoding: 'buffer',
    buffer: { fd3: false },
  });

/** The refused refs: those the policy refuses, and with `--atomic` then all the others too. */
async function judge(
  { commands, capabilities }: PushRequest,
  policy: PushPolicy,
  git: GitCommands,
  quarantine: string,
): Promise<ReadonlyMap<string, Refusal>> {
  const refusals = new Map<string, Refusal>();
  for (const update of commands) {
    const pullRef = update.name.startsWith('refs/pull/');
    const refusal = pullRef ? PULL_REF : await policy(update, new IncomingUpdate(git, quarantine, update));
    if (refusal !== null) refusals.set(update.name, refusal);
  }
  if (refusals.size === 0 || !capabilities.has('atomic')) return refusals;
  return new Map(commands.map(({ name }) => [name, refusals.get(name) ?? WITH_THE_REST]));
}

function explained(output: Buffer, { capabilities }: PushRequest, refusals: ReadonlyMap<string, Refusal>): Buffer {
  return explainRefusals(output, capabilities.has('side-band-64k'), {
    reasons: new Map([...refusals].map(([ref, { reason }]) => [ref, reason])),
    lines: [...refusals.values()].flatMap(({ lines = [] }) => lines),
  });
}
