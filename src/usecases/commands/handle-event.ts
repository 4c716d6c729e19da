import { formatCommandError } from '../../domain/commands/command-error.js';
import { parseCommand } from '../../domain/commands/parse-command.js';
import { type CommandPermission, COMMANDS } from '../../domain/commands/command-table.js';
import type { GitHubEvent } from '../../domain/intent/github-event.js';
import { findCommentDifference } from '../../domain/intent/comment-difference.js';
import { formatIssue, formatRepo, type IssueRef } from '../../domain/issue/ids.js';
import { type Refusal, refusalText } from '../../domain/render/replies/refusals.js';
import { GitHostError } from '../../ports/git-host.js';
import { type Acknowledgement, type Addressee, GitHubError } from '../../ports/github.js';
import type { Engine } from '../engine.js';
import { resolveSnapshot, hintsFor } from '../issue/observe.js';
import { executeCommand } from './execute-command.js';
import { accessLevelOf } from '../issue/access-level.js';
import type { AccessLevel } from '../../domain/issue/access-level.js';
import type { CommandOutcome } from '../../ports/recent-commands.js';

/** Turns an event into at most one durable intent and one wake. Permission is checked here, when the event is handled. */
export async function handleEvent(engine: Engine, event: GitHubEvent): Promise<void> {
  switch (event.kind) {
    case 'comment':
      return handleComment(engine, event);
    case 'touched':
      // The action and its actor are read from the issue itself: see `applyManualActions`.
      return engine.queue.wake(event.ref);
  }
}

type Comment = Extract<GitHubEvent, { kind: 'comment' }>;

async function handleComment(engine: Engine, event: Comment): Promise<void> {
  const { owner, repo } = event.ref;
  const parsed = parseCommand(event.body, { owner, repo });
  if (parsed.kind === 'none' || event.author.kind !== 'human' || event.author.login.endsWith('[bot]')) return;
  try {
    const known = engine.recentCommands.outcomeOf(event.commentId);
    const outcome = known ?? (await executeRequest(engine, event, parsed));
    if (outcome !== null && outcome !== 'answered') await answer(engine, event, outcome);
  } catch (error) {
    const refusal = permanentFailure(event, error);
    if (refusal === null) throw error;
    await replyFailure(engine, event, refusal, error);
  }
}

/** A comment that addresses us. */
type ParsedRequest = Exclude<ReturnType<typeof parseCommand>, { kind: 'none' }>;

/** Carries out a request if its author is permitted. `null` when no reply is due. */
async function executeRequest(engine: Engine, event: Comment, parsed: ParsedRequest): Promise<CommandOutcome | null> {
  const needs = parsed.kind === 'error' ? 'triage' : COMMANDS[parsed.command.kind].permission;
  // Checked before any write, so that comments of strangers cost nothing.
  if (!(await isPermitted(engine, event, needs))) return refuseStranger(engine, event, needs);
  if (!engine.serves(event.ref)) return refuse(engine, event, { kind: 'repository-not-allowed', repo: event.ref });
  // A stop has no quota, and takes effect before anything is answered.
  const isStop = parsed.kind === 'command' && (parsed.command.kind === 'stop' || parsed.command.kind === 'pause');
  const until = await engine.requestQuota.countCommand(event.author.id, event.commentId);
  if (until !== null && !isStop)
    return refuse(engine, event, { kind: 'too-many-commands', perHour: engine.requestQuota.commandsPerHour, until });
  const hints = hintsFor(engine, event.ref);
  const acknowledged = await engine.github.acknowledge(event.ref, { ...event, isSilent: isStop }, hints);
  if (acknowledged.kind === 'gone') return null;
  // A webhook is only a hint: carry out what GitHub itself shows.
  const difference = acknowledged.kind === 'elsewhere' ? 'place' : findCommentDifference(event, acknowledged.comment);
  if (difference === 'edited')
    return rememberAnswer(engine, event, 'CONFUSED', [refusalText({ kind: 'comment-edited' })]);
  if (difference !== null) {
    const fields = {
      issue: formatIssue(event.ref),
      comment: event.commentId,
      claimed: event.author.login,
      difference: difference,
    };
    engine.log.warn(fields, 'comment differs from its webhook: command ignored');
    return null;
  }
  if (parsed.kind === 'error') return rememberAnswer(engine, event, 'CONFUSED', [formatCommandError(parsed.error)]);
  const { command } = parsed;
  const ref = subjectOf(event, acknowledged);
  if (ref === null) return refuse(engine, event, { kind: 'not-our-pull', number: event.ref.number });
  const seen =
    acknowledged.kind === 'issue' && acknowledged.snapshot !== null
      ? await resolveSnapshot(engine, acknowledged.snapshot, hints)
      : null;
  const { refusals, texts: answers } = await executeCommand(engine, command, {
    ref,
    by: event.author,
    at: event.at,
    seen,
  });
  const texts = [...refusals.map(refusalText), ...answers];
  return rememberAnswer(engine, event, refusals.length > 0 ? 'CONFUSED' : 'ROCKET', texts);
}

/** Remembers that the command was carried out, even if the answer to it fails. */
function rememberAnswer(
  engine: Engine,
  event: Comment,
  reaction: CommandOutcome['reaction'],
  texts: readonly string[],
): CommandOutcome {
  const outcome = { reaction, texts };
  engine.recentCommands.rememberOutcome(event.commentId, outcome);
  return outcome;
}

/** A recent "not permitted" is reused. A permission is asked for every time. */
async function isPermitted(engine: Engine, { ref, author }: Comment, needs: CommandPermission): Promise<boolean> {
  const suffices = (level: AccessLevel): boolean => level === 'write' || (level === 'triage' && needs === 'triage');
  const known = engine.recentCommands.accessLevelOf(ref, author.id);
  if (known !== null && !suffices(known)) return false;
  const level = await accessLevelOf(engine, ref, author);
  engine.recentCommands.rememberAccessLevel(ref, author.id, level);
  return suffices(level);
}

/** Why a command can never succeed as things are; `null` when another try may help. */
function permanentFailure({ ref }: Comment, error: unknown): Refusal | null {
  if (error instanceof GitHubError && error.problem === 'no-commit') return { kind: 'no-commit', repo: ref };
  const isLasting = (error instanceof GitHubError || error instanceof GitHostError) && error.retry === 'permanent';
  return isLasting ? { kind: 'github-refused', why: error.message } : null;
}

/** Replies once that a command failed. Strangers get no reply: they could not have asked for anything. */
async function replyFailure(engine: Engine, event: Comment, refusal: Refusal, error: unknown): Promise<void> {
  const issue = formatIssue(event.ref);
  engine.log.error({ issue, why: refusal.kind, error: String(error) }, 'command cannot be carried out');
  if ((await accessLevelOf(engine, event.ref, event.author)) === 'none') return;
  await answer(engine, event, { reaction: 'CONFUSED', texts: [refusalText(refusal)] });
}

/** After the last try, tells the author, if GitHub accepts the comment. */
export async function giveUp(engine: Engine, event: GitHubEvent, error: unknown): Promise<void> {
  if (event.kind !== 'comment') return;
  const why = error instanceof Error ? error.message : String(error);
  await replyFailure(engine, event, { kind: 'gave-up', why }, error);
}

/** The issue of a command that names none. On one of our pull requests it is the issue behind it. */
function subjectOf({ ref, body }: Comment, acknowledged: Acknowledgement): IssueRef | null {
  if (acknowledged.kind !== 'pull') return ref;
  if (acknowledged.issue !== null) return { ...ref, number: acknowledged.issue };
  // A command that names its issues may be written anywhere.
  return /\d/.test(body) ? ref : null;
}

/** Refuses once for each person and issue, so that repeated attempts do not add comments. */
async function refuse(engine: Engine, event: Comment, refusal: Refusal, to?: Addressee): Promise<null> {
  const { ref, author, commentId } = event;
  engine.log.info({ issue: formatIssue(ref), author: author.login, why: refusal.kind }, 'command refused');
  await engine.github.reply(ref, `${refusal.kind}:${author.id}`, refusalText(refusal), to);
  await engine.github.react(ref, commentId, 'CONFUSED', to);
  return null;
}

/** Tells strangers at most once an hour and issue that they may not use Sluice. Under a rate limit they get no reply. */
async function refuseStranger(engine: Engine, event: Comment, needs: CommandPermission): Promise<null> {
  const { ref, author, commentId } = event;
  const about = { issue: formatIssue(ref), author: author.login };
  if (!(await engine.requestQuota.claimAnswer(ref, author.id, commentId))) {
    engine.log.info(about, 'stranger answered already');
    return null;
  }
  try {
    return await refuse(engine, event, { kind: 'no-permission', login: author.login, needs }, 'stranger');
  } catch (error) {
    if (!(error instanceof GitHubError) || error.problem !== 'rate-limited') throw error;
    engine.log.info({ ...about, why: error.message }, 'stranger not answered');
    return null;
  }
}

/** Always reacts. Comments only when there is something to say, once for each command. */
async function answer(engine: Engine, event: Comment, { reaction, texts }: CommandOutcome): Promise<void> {
  if (texts.length > 0) await engine.github.reply(event.ref, `to:${event.commentId}`, texts.join('\n\n'));
  await engine.github.react(event.ref, event.commentId, reaction);
  engine.recentCommands.rememberOutcome(event.commentId, 'answered');
  engine.log.info({ repo: formatRepo(event.ref), reaction }, 'command answered');
}
