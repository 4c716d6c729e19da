import type { Readable } from 'node:stream';
import type { Oid } from '../../world/model.js';
import { GitHubError } from '../../world/errors.js';
import type { RefUpdate } from '../git-repository.js';
import { packetAt } from './pkt-line.js';

/** What a client asks of receive-pack, read from the front of its request. */
export interface PushRequest {
  readonly commands: readonly RefUpdate[];
  readonly capabilities: ReadonlySet<string>;
  /** The whole request again, front included, still to be streamed. */
  readonly body: AsyncIterable<Buffer>;
}

const COMMAND = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\0\n]+)(?:\0([^\n]*))?\n?$/;

/** Reads the command list, up to its flush, and no more of the stream than the chunk it ends in. */
export async function readPushRequest(stream: Readable): Promise<PushRequest> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const commands: RefUpdate[] = [];
  const capabilities = new Set<string>();
  let front: Buffer = Buffer.alloc(0);
  try {
    for (let at = 0, ended = false; !ended; ) {
      const packet = packetAt(front, at);
      if (packet === null) {
        const { value, done } = await chunks.next();
        if (done === true) throw new Error('it ends inside its command list');
        front = Buffer.concat([front, value]);
        continue;
      }
      at = packet.end;
      ended = packet.payload === null;
      const [, before, after, name, words] = COMMAND.exec(packet.payload?.toString() ?? '') ?? [];
      // Other lines (`shallow <oid>`) are git's business.
      if (before === undefined || after === undefined || name === undefined) continue;
      commands.push({ name, before: oidOrNull(before), after: oidOrNull(after) });
      for (const word of words?.split(' ') ?? []) capabilities.add(word);
    }
  } catch (error) {
    throw new GitHubError(
      400,
      `The push could not be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  return { commands, capabilities, body: rest(front, chunks) };
}

const oidOrNull = (oid: Oid): Oid | null => (/^0+$/.test(oid) ? null : oid);

async function* rest(front: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield front;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
}
