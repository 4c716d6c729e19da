import { formatCommandError } from '../domain/command-error.js';
import { parseCommand } from '../domain/command-parser.js';
import { type CommandRight, COMMANDS } from '../domain/command-table.js';
import type { GitHubEvent } from '../domain/github-event.js';
import { differenceFrom } from '../domain/heard-comment.js';
import { formatIssue, formatRepo, type IssueRef } from '../domain/ids.js';
import { type Refusal, refusalText } from '../domain/words/refusals.js';
import { GitHostError } from '../ports/git-host.js';
import { type Acknowledged, type Addressee, GitHubError } from '../ports/github.js';
import type { Engine } from './engine.js';
import { complete, hintsFor } from './observe.js';
import { obey } from './obey.js';
import { type Standing, standingOf } from './permission.js';
import type { Outcome } from './recent-commands.js';

/** Turns an event into at most a durable intent and a wake. Who may ask is decided here, where it is consumed. */
export async function handleEvent(engine: Engine, event: GitHubEvent): Promise<void> {
  switch (event.kind) {
    case 'comment':
      return handleComment(engine, event);
    case 'access':
    case 'repository':
      // Nothing is kept about repositories but what GitHub says when it is asked; the sweep asks.
      engine.log.info({ event }, 'access has changed');
      return;
    case 'deleted':
      return;
    case 'transferred':
      return event.to === null ? undefined : engine.queue.wake(event.to);
    case 'phase-label':
    case 'run-label-removed':
    case 'closed':
    case 'reopened':
    case 'edited':
    case 'touched':
      // What was done is read off the issue itself, by whoever did it: see `hear`.
      return engine.queue.wake(event.ref);
  }
}

type Comment = Extract<GitHubEvent, { kind: 'comment' }>;

async function handleComment(engine: Engine, event: Comment): Promise<void> {
  const { owner, repo } = event.ref;
  const parsed = parseCommand(event.body, { owner, repo });
  if (parsed.kind === 'none' || event.author.kind !== 'human' || event.author.login.endsWith('[bot]')) return;
  try {
    const known = engine.recent.outcomeOf(event.commentId);
    const outcome = known ?? (await carryOut(engine, event, parsed));
    if (outcome !== null && outcome !== 'answered') await answer(engine, event, outcome);
  } catch (error) {
    const refusal = lastingFailure(event, error);
    if (refusal === null) throw error;
    await tellFailure(engine, event, refusal, error);
  }
}

/** What somebody said to us. */
type Said = Exclude<ReturnType<typeof parseCommand>, { kind: 'none' }>;

/** Does what was asked for, if whoever asked may have it done. `null` when there is nothing more to tell them. */
async function carryOut(engine: Engine, event: Comment, parsed: Said): Promise<Outcome | null> {
  const needs = parsed.kind === 'error' ? 'triage' : COMMANDS[parsed.command.kind].right;
  // Before anything is written: what strangers say must cost nothing.
  if (!(await isPermitted(engine, event, needs))) return refuseStranger(engine, event, needs);
  if (!engine.serves(event.ref)) return refuse(engine, event, { kind: 'repository-not-allowed', repo: event.ref });
  // Stopping is never too much, and done before anything is said about it.
  const isStop = parsed.kind === 'command' && (parsed.command.kind === 'stop' || parsed.command.kind === 'pause');
  const until = await engine.turns.command(event.author.id, event.commentId);
  if (until !== null && !isStop)
    return refuse(engine, event, { kind: 'too-many-commands', perHour: engine.turns.commandsPerHour, until });
  const hints = hintsFor(engine, event.ref);
  const heard = await engine.github.acknowledge(event.ref, { ...event, isSilent: isStop }, hints);
  if (heard.kind === 'gone') return null;
  // A webhook is a hint. Only what GitHub itself shows is obeyed.
  const lie = heard.kind === 'elsewhere' ? 'place' : differenceFrom(event, heard.comment);
  if (lie === 'edited') return noted(engine, event, 'CONFUSED', [refusalText({ kind: 'comment-edited' })]);
  if (lie !== null) {
    const fields = { issue: formatIssue(event.ref), comment: event.commentId, claimed: event.author.login, lie };
    engine.log.warn(fields, 'a comment is not what a webhook says it is: not obeyed');
    return null;
  }
  if (parsed.kind === 'error') return noted(engine, event, 'CONFUSED', [formatCommandError(parsed.error)]);
  const { command } = parsed;
  const ref = subjectOf(event, heard);
  if (ref === null) return refuse(engine, event, { kind: 'not-our-pull', number: event.ref.number });
  const seen = heard.kind === 'issue' && heard.snapshot !== null ? await complete(engine, heard.snapshot, hints) : null;
  const { refused, said } = await obey(engine, command, { ref, by: event.author, at: event.at, seen });
  const texts = [...refused.map(refusalText), ...said];
  return noted(engine, event, refused.length > 0 ? 'CONFUSED' : 'ROCKET', texts);
}

/** Whatever becomes of the answer, the command was carried out. */
function noted(engine: Engine, event: Comment, reaction: Outcome['reaction'], texts: readonly string[]): Outcome {
  const outcome = { reaction, texts };
  engine.recent.noteOutcome(event.commentId, outcome);
  return outcome;
}

/** Who was found a moment ago to have no permission has none; that somebody has it is asked each time. */
async function isPermitted(engine: Engine, { ref, author }: Comment, needs: CommandRight): Promise<boolean> {
  const suffices = (standing: Standing): boolean =>
    standing === 'drives' || (standing === 'asks' && needs === 'triage');
  const known = engine.recent.standingOf(ref, author.id);
  if (known !== null && !suffices(known)) return false;
  const standing = await standingOf(engine, ref, author);
  engine.recent.noteStanding(ref, author.id, standing);
  return suffices(standing);
}

/** Why a command will never be carried out as things are; `null` where trying again may help. */
function lastingFailure({ ref }: Comment, error: unknown): Refusal | null {
  if (error instanceof GitHubError && error.problem === 'no-commit') return { kind: 'no-commit', repo: ref };
  const isLasting = (error instanceof GitHubError || error instanceof GitHostError) && error.retry === 'permanent';
  return isLasting ? { kind: 'github-refused', why: error.message } : null;
}

/** Says once that a command could not be carried out. Strangers are told nothing: there was nothing they could ask for. */
async function tellFailure(engine: Engine, event: Comment, refusal: Refusal, error: unknown): Promise<void> {
  const issue = formatIssue(event.ref);
  engine.log.error({ issue, why: refusal.kind, error: String(error) }, 'a command cannot be carried out');
  if ((await standingOf(engine, event.ref, event.author)) === 'none') return;
  await answer(engine, event, { reaction: 'CONFUSED', texts: [refusalText(refusal)] });
}

/** After the last try: whoever asked is told, as far as GitHub takes it. */
export async function giveUp(engine: Engine, event: GitHubEvent, error: unknown): Promise<void> {
  if (event.kind !== 'comment') return;
  const why = error instanceof Error ? error.message : String(error);
  await tellFailure(engine, event, { kind: 'gave-up', why }, error);
}

/** The issue a command is about when it names none: on a pull request of ours, the one behind it. */
function subjectOf({ ref, body }: Comment, heard: Acknowledged): IssueRef | null {
  if (heard.kind !== 'pull') return ref;
  if (heard.issue !== null) return { ...ref, number: heard.issue };
  // A command that names its issues does not care where it stands.
  return /\d/.test(body) ? ref : null;
}

/** Said once to each person on an issue: whoever keeps asking in vain is not a reason for more comments. */
async function refuse(engine: Engine, event: Comment, refusal: Refusal, to?: Addressee): Promise<null> {
  const { ref, author, commentId } = event;
  engine.log.info({ issue: formatIssue(ref), author: author.login, why: refusal.kind }, 'command refused');
  await engine.github.reply(ref, `${refusal.kind}:${author.id}`, refusalText(refusal), to);
  await engine.github.react(ref, commentId, 'CONFUSED', to);
  return null;
}

/** Whoever may not use Sluice here learns that, once an hour on an issue, and nothing else. Where there is no room for it, not even that. */
async function refuseStranger(engine: Engine, event: Comment, needs: CommandRight): Promise<null> {
  const { ref, author, commentId } = event;
  const about = { issue: formatIssue(ref), author: author.login };
  if (!(await engine.turns.answer(ref, author.id, commentId))) {
    engine.log.info(about, 'a stranger was answered already');
    return null;
  }
  try {
    return await refuse(engine, event, { kind: 'no-permission', login: author.login, needs }, 'stranger');
  } catch (error) {
    if (!(error instanceof GitHubError) || error.problem !== 'rate-limited') throw error;
    engine.log.info({ ...about, why: error.message }, 'a stranger was not answered');
    return null;
  }
}

/** A reaction always; words only where there is something to say, once for each command. */
async function answer(engine: Engine, event: Comment, { reaction, texts }: Outcome): Promise<void> {
  if (texts.length > 0) await engine.github.reply(event.ref, `to:${event.commentId}`, texts.join('\n\n'));
  await engine.github.react(event.ref, event.commentId, reaction);
  engine.recent.noteOutcome(event.commentId, 'answered');
  engine.log.info({ repo: formatRepo(event.ref), reaction }, 'command answered');
}
