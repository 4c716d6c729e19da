import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { createBareRepository } from '../../src/git/bare-repository.js';
import type { GitRepository, RefUpdate } from '../../src/git/git-repository.js';
import { parseGitRequest } from '../../src/git/protocol/git-request.js';
import type { PushPolicy } from '../../src/git/protocol/receive-pack.js';
import { dumbProtocolRefusal, SmartHttp } from '../../src/git/protocol/smart-http.js';
import { send } from '../../src/http/exchange.js';
import { text } from '../../src/http/reply.js';
import { GitHubError } from '../../src/world/errors.js';

/** A real bare repository behind a tiny HTTP server, and a folder for real git clients. */
export interface GitHttpFixture {
  readonly folder: string;
  readonly repository: GitRepository;
  readonly url: string;
  /** What each push really changed, in order. */
  readonly pushes: (readonly RefUpdate[])[];
  readonly requests: IncomingMessage[];
  /** Emits `push` with those changes when a push has ended, heard or unheard by its client. */
  readonly ended: EventEmitter;
  /** Ends what runs, as the server does when it stops. */
  stop(): void;
  /** Replaces the policy of the pushes to come. */
  policy: PushPolicy;
  close(): Promise<void>;
}

export async function openGitHttpFixture(options: { readonly deadlineMs?: number } = {}): Promise<GitHttpFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'pocket-git-'));
  const repository = await createBareRepository(join(folder, 'server.git'), { defaultBranch: 'main' });
  const smart = new SmartHttp(options);
  const server = createServer((request, response) => void serve(fixture, smart, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fixture: GitHttpFixture = {
    folder,
    repository,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/octo/demo.git`,
    pushes: [],
    requests: [],
    ended: new EventEmitter(),
    stop: () => smart.close(),
    policy: () => Promise.resolve(null),
    close: async () => {
      fixture.stop();
      await closeServer(server);
      await repository.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return fixture;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function serve(
  fixture: GitHttpFixture,
  smart: SmartHttp,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  fixture.requests.push(request);
  try {
    await send(response, await reply(fixture, smart, request));
  } catch (error) {
    const status = error instanceof GitHubError ? error.status : 500;
    await send(response, text(status, error instanceof Error ? error.message : String(error)));
  }
}

async function reply(fixture: GitHttpFixture, smart: SmartHttp, request: IncomingMessage) {
  const wanted = parseGitRequest(request.method ?? '', new URL(request.url ?? '', fixture.url));
  if (wanted === null) return text(404, 'Not Found');
  if (wanted.kind === 'dumb') return dumbProtocolRefusal();
  if (wanted.kind === 'advertise') return smart.advertise(fixture.repository, wanted.service, request);
  if (wanted.service === 'git-upload-pack') return smart.uploadPack(fixture.repository, request);
  const result = await smart.receivePack(fixture.repository, request, fixture.policy);
  fixture.pushes.push(result.updates);
  fixture.ended.emit('push', result.updates);
  return result.reply;
}

export interface GitRun {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

const CLIENT_ENV = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/dev/null',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '@1700000000 +0200',
  GIT_COMMITTER_NAME: 'Carl',
  GIT_COMMITTER_EMAIL: 'carl@example.com',
  GIT_COMMITTER_DATE: '@1700000100 +0000',
};

/** Runs the git command line as a client would; a failure is a value. */
export async function tryGit(cwd: string, ...args: readonly string[]): Promise<GitRun> {
  const { exitCode, stdout, stderr } = await execa('git', args, {
    cwd,
    env: CLIENT_ENV,
    extendEnv: false,
    reject: false,
  });
  return { exitCode, stdout, stderr };
}

/** As `tryGit`, but a failure fails the test. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await tryGit(cwd, ...args);
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** Writes files in a clone and commits them; `null` deletes. */
export async function commit(
  clone: string,
  message: string,
  files: Readonly<Record<string, string | Buffer | null>>,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    if (content === null) await rm(join(clone, path));
    else {
      await mkdir(dirname(join(clone, path)), { recursive: true });
      await writeFile(join(clone, path), content);
    }
  }
  await git(clone, 'add', '--all');
  await git(clone, 'commit', '--quiet', '--allow-empty', '--message', message);
  return git(clone, 'rev-parse', 'HEAD');
}

/** A clone of the workbench's repository, called `name`. */
export async function clone(fixture: GitHttpFixture, name: string): Promise<string> {
  await git(fixture.folder, 'clone', '--quiet', fixture.url, name);
  const path = join(fixture.folder, name);
  await git(path, 'checkout', '--quiet', '-B', 'main');
  return path;
}
