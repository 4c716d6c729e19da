import { z } from 'zod';
import { formatRepo } from '../../../domain/issue/ids.js';
import { GitHubError } from '../../../ports/github.js';
import type { Log } from '../../../ports/log.js';
import type { FailedDelivery, Installation, Scanner } from '../../../ports/scanner.js';
import { type GitHubApiOptions, type ApiRequest, createApiRequest, graphqlAnswer } from '../client/github-api.js';
import type { AppClient } from '../auth/app-client.js';
import type { AppTokenSource } from '../auth/app-tokens.js';
import { parseAnswer, refusalOf } from '../client/errors.js';
import { time } from '../snapshot/facts.js';
import { type ReadGraphql, RepositoryScan } from './repository-scan.js';
import { readThreads } from './read-threads.js';

export interface ScannerOptions extends Pick<GitHubApiOptions, 'apiUrl' | 'graphqlUrl' | 'clock' | 'limits'> {
  readonly tokens: AppTokenSource;
  readonly asApp: AppClient;
  readonly log: Log;
}

const PAGE = 100;
/** Ten thousand of anything: more is not looked at in one go. */
const MOST_PAGES = 100;
/** As many repositories as fit into one document. */
const MOST_REPOS = 50;

const INSTALLATIONS = 'GET /app/installations';
const REPOSITORIES = 'GET /installation/repositories';
const DELIVERIES = 'GET /app/hook/deliveries';
const REDELIVER = 'POST /app/hook/deliveries/{delivery_id}/attempts';

const installationsSchema = z.array(
  z.object({
    id: z.number(),
    account: z.looseObject({ login: z.string().optional(), slug: z.string().optional() }).nullish(),
    suspended_at: z.string().nullish(),
  }),
);
const repositoriesSchema = z.object({
  repositories: z.array(
    z.object({
      name: z.string(),
      owner: z.object({ login: z.string() }),
      archived: z.boolean().optional(),
      disabled: z.boolean().optional(),
    }),
  ),
});
const deliveriesSchema = z.array(
  z.object({ id: z.number(), guid: z.string(), event: z.string(), delivered_at: time, status_code: z.number() }),
);

/** GitHub as the sweep sees it: one token per installation, which only reads. */
export function createScanner(options: ScannerOptions): Scanner {
  const { tokens, asApp, clock, graphqlUrl, log } = options;
  const requestWith = createApiRequest(options);
  const requestIn = ({ id }: Installation): ApiRequest =>
    requestWith({
      token: () => tokens.readerOf(id),
      refused: (token) => {
        tokens.readerRefused(id, token);
        return true;
      },
    });
  const graphqlIn =
    (installation: Installation): ReadGraphql =>
    async (query, variables) =>
      graphqlAnswer(
        graphqlUrl,
        await requestIn(installation)(`POST ${graphqlUrl}`, { query, variables }, { budget: 'graphql', writes: 0 }),
        clock.now(),
      );
  /** By installation: fewer at a time after GitHub could not answer. */
  const batches = new Map<number, number>();

  return {
    installations: async () => {
      const all = await pages(INSTALLATIONS, installationsSchema, async (page) => {
        return (await asApp(INSTALLATIONS, { per_page: PAGE, page })).data;
      });
      return all
        .filter(({ suspended_at }) => suspended_at == null)
        .map(({ id, account }) => ({ id, owner: account?.login ?? account?.slug ?? String(id) }));
    },
    repositories: async (installation) => {
      const ask = requestIn(installation);
      const schema = repositoriesSchema.transform(({ repositories }) => repositories);
      const all = await pages(REPOSITORIES, schema, async (page) => {
        const answer = await ask(REPOSITORIES, { per_page: PAGE, page }, { budget: 'core', writes: 0 });
        if (answer.status >= 400) throw refusalOf(REPOSITORIES, answer, clock.now());
        return answer.data;
      });
      return all
        .filter(({ archived, disabled }) => archived !== true && disabled !== true)
        .map(({ owner, name }) => ({ owner: owner.login, repo: name }));
    },
    scan: async (installation, questions) => {
      const scan = new RepositoryScan(questions);
      const size = (): number => batches.get(installation.id) ?? MOST_REPOS;
      for (let batch = scan.next(size()); batch.length > 0; batch = scan.next(size())) {
        try {
          await scan.ask(graphqlIn(installation), batch);
          batches.set(installation.id, Math.min(MOST_REPOS, size() * 2));
        } catch (error) {
          if (!(error instanceof GitHubError) || error.problem !== 'transient') throw error;
          batches.set(installation.id, Math.max(1, Math.floor(batch.length / 2)));
          scan.fail(batch, error.message);
        }
      }
      const answers = scan.answers();
      for (const answer of answers)
        if (answer.kind === 'failed')
          log.warn({ repository: formatRepo(answer.repo), why: answer.why }, 'repository scan failed');
      return answers;
    },
    threads: (installation, ids, since) => readThreads(graphqlIn(installation), ids, since),
    failedDeliveries: (since) => failedDeliveries(asApp, since),
    redeliver: async ({ id }) => void (await asApp(REDELIVER, { delivery_id: id })),
  };
}

/** Everything of a list that comes by page number. */
async function pages<Entry>(
  route: string,
  schema: z.ZodType<Entry[]>,
  read: (page: number) => Promise<unknown>,
): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const entries = parseAnswer(route, schema, await read(page));
    all.push(...entries);
    if (entries.length < PAGE) break;
  }
  return all;
}

/** GitHub lists the newest first, and every attempt for itself. */
async function failedDeliveries(asApp: AppClient, since: number): Promise<readonly FailedDelivery[]> {
  const failed: FailedDelivery[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const asked = { per_page: PAGE, status: 'failure', ...(cursor === undefined ? {} : { cursor }) };
    const { data, headers } = await asApp(DELIVERIES, asked);
    const all = parseAnswer(DELIVERIES, deliveriesSchema, data);
    const recent = all.filter(({ delivered_at }) => delivered_at >= since);
    // GitHub Enterprise Server does not know the filter, and lists them all.
    const bad = recent.filter(({ status_code }) => status_code < 200 || status_code >= 400);
    failed.push(...bad.map(({ id, guid, event, delivered_at: at }) => ({ id, guid, event, at })));
    cursor = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(headers['link'] ?? '')?.[1];
    if (cursor === undefined || recent.length < all.length) break;
  }
  return failed.toSorted((a, b) => a.at - b.at || a.id - b.id);
}
