import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, InvalidArgumentError } from 'commander';
import { systemClock } from '../../adapters/clock/system-clock.js';
import { formatIssue, type IssueRef, parseIssue } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { GitHostError } from '../../ports/git-host.js';
import { GitHubError } from '../../ports/github.js';
import { observe } from '../../usecases/issue/observe.js';
import { escapeControls } from '../../domain/sanitise/invisible.js';
import { CommandFailure } from './command-failure.js';
import { connect, type Connection } from '../service/connect.js';
import { withServiceFacts } from './service-facts.js';
import { accountSettings, chosenRedis, gitHubSettings } from './settings.js';

/* Shared by commands that only read. They need no sandbox and no model. */

export const issueArgument = (): Argument => new Argument('<issue>', 'owner/repo#number').argParser(parseRef);

/** Connects, reads the issue, runs `task`, and removes its temporary files. */
export async function withIssue(
  ref: IssueRef,
  task: (connection: Connection, snapshot: IssueSnapshot) => Promise<void>,
): Promise<void> {
  const settings = gitHubSettings();
  // Does not use the service's mirrors: two git processes in one repository can conflict.
  const folder = await mkdtemp(join(tmpdir(), 'sluice-look-'));
  try {
    const connection = await connect(settings, folder, { clock: systemClock, log: QUIET });
    const snapshot = await observe(connection, ref);
    if (snapshot === null) {
      throw new CommandFailure(
        `there is no issue ${formatIssue(ref)}, or the App is not installed where it could see it`,
      );
    }
    await task(withServiceFacts(connection, chosenRedis() === null ? null : accountSettings()), snapshot);
  } catch (error) {
    if (error instanceof GitHubError || error instanceof GitHostError)
      throw new CommandFailure(`${settings.apiUrl} did not answer as hoped: ${error.message}`);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

function parseRef(text: string): IssueRef {
  const ref = parseIssue(text);
  if (ref === null) throw new InvalidArgumentError('An issue is written owner/repo#number.');
  return ref;
}

/** Escapes control characters, so that text by strangers cannot change the terminal. */
export function print(text: string): void {
  process.stdout.write(`${escapeControls(text)}\n`);
}
