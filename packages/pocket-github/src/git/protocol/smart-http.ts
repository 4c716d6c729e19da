import type { IncomingMessage } from 'node:http';
import { pipeline as pipe, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { execa } from 'execa';
import { GitHubError } from '../../world/errors.js';
import { type Reply, streamed, text } from '../../http/reply.js';
import { DEFAULT_DEADLINE_MS, type GitLimits, servingOptions } from '../git-process.js';
import type { GitRepository, RefUpdate } from '../git-repository.js';
import type { GitService } from './git-request.js';
import { FLUSH, formatPacket } from './pkt-line.js';
import { type PushedRef, type PushPolicy, receivePack } from './receive-pack.js';

/** What a push did, and the answer to its client. They are separate, so that an answer can get lost after the push happened. */
export interface PushResult {
  readonly reply: Reply;
  /** The refs that really moved. */
  readonly updates: readonly RefUpdate[];
  /** All that were pushed, moved or not. */
  readonly refs: readonly PushedRef[];
}

const NO_CACHE = {
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  pragma: 'no-cache',
  'cache-control': 'no-cache, max-age=0, must-revalidate',
};

/** The answer to clients that would fetch the repository file by file. */
export const dumbProtocolRefusal = (): Reply =>
  text(403, 'Please upgrade your git client.\nGit over dumb HTTP is not supported.\n');

/**
 * Git smart HTTP, protocols 0 to 2. Who may read and push is decided before these are called; which refs may move, by the
 * policy. Every process ends at its deadline, when its client goes away, or at `close`.
 */
export class SmartHttp {
  readonly #deadlineMs: number;
  readonly #closing = new AbortController();

  constructor({ deadlineMs = DEFAULT_DEADLINE_MS }: { readonly deadlineMs?: number } = {}) {
    this.#deadlineMs = deadlineMs;
  }

  /** `GET info/refs`: the refs, or in protocol 2 the capabilities. */
  async advertise(git: GitRepository, service: GitService, request: IncomingMessage): Promise<Reply> {
    return this.#whileConnected(request, async (limits) => {
      const { exitCode, stdout, stderr } = await execa(
        'git',
        [service.slice(4), '--http-backend-info-refs', git.path],
        {
          ...servingOptions(git.path, limits),
          encoding: 'buffer',
        },
      );
      if (exitCode !== 0)
        return text(500, `git ${service} could not list the refs: ${Buffer.from(stderr).toString()}\n`);
      // GitHub sends the header line in protocol 2 too, where git itself leaves it out; clients take both.
      const header = [formatPacket(`# service=${service}\n`), FLUSH];
      return gitReply(service, 'advertisement', Buffer.concat([...header, stdout]));
    });
  }

  /** `POST git-upload-pack`: an answer that streams what a clone or fetch asked for. */
  uploadPack(git: GitRepository, request: IncomingMessage): Reply {
    const openBody = acceptBody(request, 'git-upload-pack');
    return streamed((response) =>
      this.#whileConnected(request, async (limits) => {
        const sender = execa('git', ['upload-pack', '--stateless-rpc', git.path], {
          ...servingOptions(git.path, limits),
          encoding: 'buffer',
          stdin: 'pipe',
          stderr: 'ignore',
          buffer: false,
        });
        response.writeHead(200, headersOf('git-upload-pack', 'result'));
        const [result] = await Promise.allSettled([
          sender,
          // git may stop reading before the end.
          pipeline(openBody(), sender.stdin),
          pipeline(sender.stdout, response, { end: false }),
        ]);
        // Cut short, the client must not take what it has for all there is.
        if (result.status === 'rejected' || result.value.exitCode === undefined) response.destroy();
        else response.end();
      }),
    );
  }

  /** `POST git-receive-pack`: pushes, and hands back the answer for the caller to send. */
  async receivePack(git: GitRepository, request: IncomingMessage, policy: PushPolicy): Promise<PushResult> {
    const openBody = acceptBody(request, 'git-receive-pack');
    return this.#whileConnected(request, async (limits) => {
      const { output, problem, updates, refs } = await receivePack(git, openBody(), policy, limits);
      const reply =
        output === null
          ? text(500, `The push did not finish: ${problem}\n`)
          : gitReply('git-receive-pack', 'result', output);
      return { reply, updates, refs };
    });
  }

  close(): void {
    this.#closing.abort();
  }

  async #whileConnected<T>(request: IncomingMessage, task: (limits: GitLimits) => Promise<T>): Promise<T> {
    const { socket, headers } = request;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    socket.once('close', leave);
    if (socket.destroyed) leave();
    const protocol = headers['git-protocol'];
    try {
      return await task({
        deadlineMs: this.#deadlineMs,
        signal: AbortSignal.any([gone.signal, this.#closing.signal]),
        protocol: typeof protocol === 'string' ? protocol : undefined,
      });
    } finally {
      socket.off('close', leave);
    }
  }
}

const headersOf = (service: GitService, kind: 'advertisement' | 'result'): Record<string, string> => ({
  ...NO_CACHE,
  'content-type': `application/x-${service}-${kind}`,
});

const gitReply = (service: GitService, kind: 'advertisement' | 'result', bytes: Buffer): Reply => ({
  status: 200,
  headers: headersOf(service, kind),
  body: { bytes },
});

/** Checks that the body can be understood, and opens it when asked. Clients compress long lists of refs. */
function acceptBody(request: IncomingMessage, service: GitService): () => Readable {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers;
  if (type !== `application/x-${service}-request`) {
    throw new GitHubError(415, `Expected a body of type application/x-${service}-request.`);
  }
  if (encoding === 'identity') return () => request;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new GitHubError(415, `Bodies encoded as ${encoding} are not understood.`);
  }
  // Unlike request.pipe, this passes on that the client went away.
  return () => pipe(request, createGunzip(), () => undefined);
}
