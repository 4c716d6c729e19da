import { z } from 'zod';
import { formatRepo } from '../../../domain/issue/ids.js';
import { GitHubError } from '../../../ports/github.js';
import type { FailedDelivery, Installation, Scanner } from '../../../ports/scanner.js';
import type { AppClient } from '../auth/app-client.js';
import type { AppTokenSource } from '../auth/app-tokens.js';
import { authorizeWithToken } from '../auth/authorize-with-token.js';
import { parseAnswer } from '../client/errors.js';
import { sendGraphql } from '../client/graphql.js';
import { createOctokit, type OctokitOptions } from '../client/octokit.js';
import type { RateLimits } from '../client/rate-limits.js';
import type { RequestParameter } from '../client/rules/rule.js';
import { time } from '../snapshot/facts.js';
import { type ReadGraphql, RepositoryScan } from './repository-scan.js';
import { readThreads } from './read-threads.js';

export interface ScannerOptions extends OctokitOptions {
  readonly limits: RateLimits;
  readonly tokens: AppTokenSource;
  readonly appClient: AppClient;
}

const PAGE = 100;
/** At most ten thousand items in one list. */
const MOST_PAGES = 100;
/** As many repositories as fit into one document. */
const MOST_REPOS = 50;

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

/** GitHub for the sweep: one read-only token per installation. */
export function createScanner(options: ScannerOptions): Scanner {
  const { tokens, appClient, log } = options;
  const { asApp } = appClient;
  const octokit = createOctokit(options);
  const requestIn = ({ id }: Installation): RequestParameter => ({
    context: {
      authorize: authorizeWithToken({
        token: () => tokens.readerOf(id),
        refused: (token) => {
          tokens.readerRefused(id, token);
          return true;
        },
      }),
    },
  });
  const graphqlIn =
    (installation: Installation): ReadGraphql =>
    (query, variables) =>
      sendGraphql(octokit, query, variables, { ...requestIn(installation).context, writes: 0 });
  /** By installation: the batch size, smaller after GitHub could not answer. */
  const batches = new Map<number, number>();

  return {
    installations: async () => {
      const all = await pages('the installations', installationsSchema, (page) =>
        appClient.rest.apps.listInstallations({ per_page: PAGE, page, request: asApp }),
      );
      return all
        .filter(({ suspended_at }) => suspended_at == null)
        .map(({ id, account }) => ({ id, owner: account?.login ?? account?.slug ?? String(id) }));
    },
    repositories: async (installation) => {
      const request = requestIn(installation);
      const schema = repositoriesSchema.transform(({ repositories }) => repositories);
      const all = await pages('the repositories', schema, (page) =>
        octokit.rest.apps.listReposAccessibleToInstallation({ per_page: PAGE, page, request }),
      );
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
    failedDeliveries: (since) => failedDeliveries(appClient, since),
    redeliver: async ({ id }) =>
      void (await appClient.rest.apps.redeliverWebhookDelivery({ delivery_id: id, request: asApp })),
  };
}

/** Everything of a list that comes by page number. */
async function pages<Entry>(
  what: string,
  schema: z.ZodType<Entry[]>,
  read: (page: number) => Promise<{ readonly data: unknown }>,
): Promise<Entry[]> {
  const all: Entry[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const entries = parseAnswer(what, schema, (await read(page)).data);
    all.push(...entries);
    if (entries.length < PAGE) break;
  }
  return all;
}

/** GitHub lists the newest first, and each attempt separately. */
async function failedDeliveries({ rest, asApp }: AppClient, since: number): Promise<readonly FailedDelivery[]> {
  const failed: FailedDelivery[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const from = cursor === undefined ? {} : { cursor };
    const { data, headers } = await rest.apps.listWebhookDeliveries({
      per_page: PAGE,
      status: 'failure',
      ...from,
      request: asApp,
    });
    const all = parseAnswer('the deliveries', deliveriesSchema, data);
    const recent = all.filter(({ delivered_at }) => delivered_at >= since);
    // GitHub Enterprise Server ignores the filter and lists all.
    const bad = recent.filter(({ status_code }) => status_code < 200 || status_code >= 400);
    failed.push(...bad.map(({ id, guid, event, delivered_at: at }) => ({ id, guid, event, at })));
    cursor = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(headers.link ?? '')?.[1];
    if (cursor === undefined || recent.length < all.length) break;
  }
  return failed.toSorted((a, b) => a.at - b.at || a.id - b.id);
}
