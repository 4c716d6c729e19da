import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A recorded GraphQL request and its answer. */
export interface Exchange {
  readonly operation: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
}

/** A proxy in front of a GraphQL API: forwards and records answers, or replays recorded ones. */
export interface GraphqlRelay {
  /** The base URL; GraphQL is at `/graphql`. */
  readonly url: string;
  /** Records everything while `task` runs. */
  record(task: () => Promise<unknown>): Promise<readonly Exchange[]>;
  /** Runs `task` with these answers, in order for each operation. Other requests are forwarded. */
  replay<T>(exchanges: readonly Exchange[], task: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const bodySchema = z.object({ query: z.string() });
const answerSchema = z.object({ data: z.unknown() });

export async function openGraphqlRelay(target: string): Promise<GraphqlRelay> {
  const recorded: Exchange[] = [];
  const waiting: Exchange[] = [];

  const answer = async (request: IncomingMessage): Promise<Omit<Exchange, 'query' | 'operation'>> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { query } = bodySchema.parse(JSON.parse(body));
    const operation = /\b(?:query|mutation) (\w+)/.exec(query)?.[1] ?? '';
    const kept = waiting.findIndex((exchange) => exchange.operation === operation && exchange.query === query);
    const [again] = kept === -1 ? [] : waiting.splice(kept, 1);
    if (again !== undefined) return again;
    const headers = {
      authorization: request.headers.authorization ?? '',
      'content-type': 'application/json',
      'user-agent': 'relay',
    };
    const response = await fetch(target, { method: 'POST', headers, body });
    const passed = { headers: { date: response.headers.get('date') ?? '' }, data: await response.json() };
    recorded.push({ operation, query, ...passed });
    return passed;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { headers, data } = await answer(request);
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(data));
    } catch (error) {
      response.writeHead(500);
      response.end(String(error));
    }
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    record: async (task) => {
      recorded.length = 0;
      await task();
      return recorded.splice(0);
    },
    replay: async (exchanges, task) => {
      waiting.splice(0, waiting.length, ...exchanges);
      return task();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** What an exchange's answer holds under `data`. */
export const dataOf = (exchange: Exchange): unknown => answerSchema.parse(exchange.data).data;
