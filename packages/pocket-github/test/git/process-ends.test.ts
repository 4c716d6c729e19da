import { EventEmitter, once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { commitFiles } from '../../src/git/seed-commits.js';
import { formatPacket } from '../../src/git/protocol/pkt-line.js';
import { openGitHttpFixture, type GitHttpFixture } from '../support/git-http-fixture.js';

const PERSON = { name: 'Ada', email: 'ada@example.com', at: 0 };

let fixture: GitHttpFixture;
let topic: string;
/** Emits `asked` when a policy that never answers is asked. */
const policy = new EventEmitter();

async function open(deadlineMs: number): Promise<void> {
  fixture = await openGitHttpFixture({ deadlineMs });
  topic = await commitFiles(fixture.repository, { parent: null, files: { a: '1' }, message: 'first', author: PERSON });
  await fixture.repository.updateRefs([{ name: 'refs/heads/topic', before: null, after: topic }]);
  fixture.policy = () => {
    policy.emit('asked');
    return new Promise(() => undefined);
  };
}

afterEach(() => fixture.close());

function post(service: string, front: string): ClientRequest {
  const headers = { 'content-type': `application/x-${service}-request` };
  const client = request(`${fixture.url}/${service}`, { method: 'POST', headers });
  client.write(front);
  return client;
}

/** A status, or that the connection was cut. */
async function ending(client: ClientRequest): Promise<number | 'cut'> {
  return new Promise((resolve) => {
    client.on('error', () => resolve('cut'));
    client.on('response', (response) => {
      response.on('error', () => resolve('cut'));
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
  });
}

const command = (before: string, after: string) =>
  `${formatPacket(`${before} ${after} refs/heads/topic\0report-status`).toString()}0000`;
const deletion = () => command(topic, '0'.repeat(40));
const replacement = () => command(topic, '1'.repeat(40));

describe('a git process ends', () => {
  test('at its deadline, when a decision does not come', async () => {
    await open(300);
    expect(await ending(post('git-receive-pack', deletion()).end())).toBe(500);
    expect(fixture.pushes).toEqual([[]]);
  });

  test('at its deadline, when a pushing client stalls', async () => {
    await open(300);
    expect(await ending(post('git-receive-pack', `${replacement()}PACK\0\0\0\x02\0\0\0\x01`))).toBe(500);
    expect(fixture.pushes).toEqual([[]]);
  });

  test('at its deadline, when a fetching client stalls: the answer is cut, not ended', async () => {
    await open(300);
    expect(await ending(post('git-upload-pack', '00'))).toBe('cut');
  });

  test('when its client goes away', async () => {
    await open(60_000);
    const ended = once(fixture.ended, 'push');
    const asked = once(policy, 'asked');
    const client = post('git-receive-pack', deletion()).end();
    client.on('error', () => undefined);
    await asked;
    client.destroy();
    expect(await ended).toEqual([[]]);
    expect((await fixture.repository.listRefs()).get('refs/heads/topic')).toBe(topic);
  });

  test('when the server stops', async () => {
    await open(60_000);
    const asked = once(policy, 'asked');
    const answer = ending(post('git-receive-pack', deletion()).end());
    await asked;
    fixture.stop();
    expect(await answer).toBe(500);
    expect((await fixture.repository.listRefs()).get('refs/heads/topic')).toBe(topic);
  });
});
