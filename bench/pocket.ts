import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { median } from './figures.js';

interface Address {
  readonly api: string;
  readonly graphql: string;
  readonly token: string;
}

interface Call {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const CONNECTIONS = 16;
const WARM_UP = 300;
const MEASURED = 3000;
const ROUNDS = 3;

/** Start-up and simple requests per second of Pocket GitHub, beside a bare Node server answering the same bytes in the same run. */
export async function benchPocket(progress: (line: string) => void): Promise<Record<string, number>> {
  const started = performance.now();
  const child = fork(fileURLToPath(new URL('./pocket-server.js', import.meta.url)), { stdio: 'inherit' });
  const [address] = (await once(child, 'message')) as [Address];
  const startupMs = Math.round(performance.now() - started);
  progress(`started in ${startupMs} ms`);
  try {
    // Like GitHub, Pocket refuses requests without a user agent.
    const headers = { authorization: `token ${address.token}`, 'user-agent': 'bench' };
    const get: Call = { url: `${address.api}/repos/ada/tideline/issues/1`, method: 'GET', headers };
    const query: Call = {
      url: address.graphql,
      method: 'POST',
      headers,
      body: JSON.stringify({
        query:
          '{ repository(owner: "ada", name: "tideline") { issue(number: 1) { title labels(first: 10) { nodes { name } } } } }',
      }),
    };
    const bare = await bareServer(await bodyOf(get));
    const rest: number[] = [];
    const graphql: number[] = [];
    const floor: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rest.push(await rate(get));
      graphql.push(await rate(query));
      floor.push(await rate({ ...get, url: bare.url }));
      progress(`round ${round + 1}: REST ${rest.at(-1)}/s, GraphQL ${graphql.at(-1)}/s, bare ${floor.at(-1)}/s`);
    }
    bare.close();
    return {
      startupMs,
      restPerSecond: median(rest),
      graphqlPerSecond: median(graphql),
      barePerSecond: median(floor),
      ratio: Number((median(rest) / median(floor)).toFixed(3)),
    };
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

async function rate(call: Call): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  await volley(call, agent, WARM_UP);
  const started = performance.now();
  await volley(call, agent, MEASURED);
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  return Math.round(MEASURED / seconds);
}

async function volley(call: Call, agent: Agent, count: number): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await bodyOf(call, agent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

function bodyOf(call: Call, agent?: Agent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      call.url,
      { method: call.method, headers: call.headers, ...(agent === undefined ? {} : { agent }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(Buffer.concat(chunks))
            : reject(new Error(`${call.url} answered ${response.statusCode}`)),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(call.body);
  });
}

async function bareServer(body: Buffer): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(
    (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
