import { formatCommandError } from '../domain/command-error.js';
import { parseCommand } from '../domain/command-parser.js';
import { COMMANDS } from '../domain/command-table.js';
import type { GitHubEvent } from '../domain/github-event.js';
import { formatIssue, formatRepo, type IssueRef } from '../domain/ids.js';
import { type Refusal, refusalText } from '../domain/words/refusals.js';
import type { Acknowledged } from '../ports/github.js';
import type { Engine } from './engine.js';
import { complete, hintsFor } from './observe.js';
import { obey } from './obey.js';
import { standingOf } from './permission.js';

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
  // Heard: said at once, whatever comes of it.
  const hints = hintsFor(engine, event.ref);
  const heard = await engine.github.acknowledge(event.ref, event, hints);
  if (heard.kind === 'gone') return;
  const standing = await standingOf(engine, event.ref, event.author);
  const needs = parsed.kind === 'error' ? 'triage' : COMMANDS[parsed.command.kind].right;
  // Whoever may not use Sluice here learns that, and nothing else.
  if (standing === 'none' || (needs === 'write' && standing !== 'drives'))
    return refuse(engine, event, [{ kind: 'no-permission', login: event.author.login, needs }]);
  if (!engine.serves(event.ref)) return refuse(engine, event, [{ kind: 'repository-not-allowed', repo: event.ref }]);
  if (parsed.kind === 'error') return answer(engine, event, 'CONFUSED', [formatCommandError(parsed.error)]);
  const { command } = parsed;
  // Stopping is never too much.
  const until =
    command.kind === 'stop' || command.kind === 'pause' ? null : await engine.turns.command(event.author.id);
  if (until !== null)
    return refuse(engine, event, [{ kind: 'too-many-commands', perHour: engine.turns.commandsPerHour, until }]);
  const ref = subjectOf(event, heard);
  if (ref === null) return refuse(engine, event, [{ kind: 'not-our-pull', number: event.ref.number }]);
  const seen = heard.kind === 'issue' && heard.snapshot !== null ? await complete(engine, heard.snapshot, hints) : null;
  const { refused, said } = await obey(engine, command, { ref, by: event.author, at: event.at, seen });
  const texts = [...refused.map(refusalText), ...said];
  await answer(engine, event, refused.length > 0 ? 'CONFUSED' : 'ROCKET', texts);
}

/** The issue a command is about when it names none: on a pull request of ours, the one behind it. */
function subjectOf({ ref, body }: Comment, heard: Acknowledged): IssueRef | null {
  if (heard.kind !== 'pull') return ref;
  if (heard.issue !== null) return { ...ref, number: heard.issue };
  // A command that names its issues does not care where it stands.
  return /\d/.test(body) ? ref : null;
}

function refuse(engine: Engine, event: Comment, refusals: readonly Refusal[]): Promise<void> {
  const fields = { issue: formatIssue(event.ref), author: event.author.login, why: refusals.map(({ kind }) => kind) };
  engine.log.info(fields, 'command refused');
  return answer(engine, event, 'CONFUSED', refusals.map(refusalText));
}

/** A reaction always; words only where there is something to say, once for each command. */
async function answer(
  engine: Engine,
  event: Comment,
  reaction: 'ROCKET' | 'CONFUSED',
  texts: readonly string[],
): Promise<void> {
  if (texts.length > 0) await engine.github.reply(event.ref, `to:${event.commentId}`, texts.join('\n\n'));
  await engine.github.react(event.ref, event.commentId, reaction);
  engine.log.info({ repo: formatRepo(event.ref), reaction }, 'command answered');
}
