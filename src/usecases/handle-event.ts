import { parseCommand } from '../domain/command-parser.js';
import type { GitHubEvent } from '../domain/github-event.js';
import { formatIssue } from '../domain/ids.js';
import type { Role } from '../ports/github.js';
import { driveFrom } from './drive.js';
import type { Engine } from './engine.js';
import { start } from './start.js';

const MAY_START: readonly Role[] = ['admin', 'maintain', 'write'];

/** Turns an event into at most a durable intent and a wake. Who may ask is decided here, where it is consumed. */
export async function handleEvent(engine: Engine, event: GitHubEvent): Promise<void> {
  if (event.kind !== 'comment') return 'ref' in event ? engine.queue.wake(event.ref) : undefined;
  const { owner, repo } = event.ref;
  const parsed = parseCommand(event.body, { owner, repo });
  if (parsed.kind === 'none' || event.author.kind !== 'human') return;
  const role = await engine.github.roleOf({ owner, repo }, event.author);
  if (!MAY_START.includes(role)) {
    engine.log.info({ issue: formatIssue(event.ref), author: event.author.login, role }, 'command refused');
    return engine.github.react(event.ref, event.commentId, 'CONFUSED');
  }
  // The other commands are not carried out yet; neither is what was not understood.
  if (parsed.kind === 'error' || parsed.command.kind !== 'auto' || parsed.command.options.dryRun === true)
    return engine.github.react(event.ref, event.commentId, 'CONFUSED');
  const { command } = parsed;
  const numbers = command.numbers.length === 0 ? [event.ref.number] : command.numbers;
  for (const number of numbers) {
    const ref = { owner, repo, number };
    const by = { id: event.author.id, login: event.author.login };
    const started = await start(engine, { ref, at: event.at, by, options: command.options });
    engine.log.info({ issue: formatIssue(ref), by: event.author.login, started: started.kind }, 'run requested');
    // When it was running already, this may be the only hint that is left of it.
    if (started.kind === 'already-running') await engine.queue.wake(ref);
    if (started.kind === 'started') await driveFrom(engine, started.snapshot);
  }
  await engine.github.react(event.ref, event.commentId, 'ROCKET');
}
