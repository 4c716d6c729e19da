import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAppClient } from '../../../../src/adapters/github/auth/app-client.js';
import { createRateLimits } from '../../../../src/adapters/github/client/rate-limits.js';
import { createScanner } from '../../../../src/adapters/github/sweep/scanner.js';
import type { Identity, TokenSource } from '../../../../src/adapters/github/auth/token-source.js';
import { createMemoryHintStore } from '../../../../src/adapters/redis/memory-hint-store.js';
import { workBranch } from '../../../../src/domain/issue/ids.js';
import { LABELS } from '../../../../src/domain/issue/label.js';
import type { Change } from '../../../../src/domain/render/projection/projection.js';
import type { IssueSnapshot } from '../../../../src/domain/state/snapshot.js';
import { loadGitHubSchema } from '#pocket-github/testing';
import { type GitHub, GitHubError, type SnapshotHints } from '../../../../src/ports/github.js';
import { deleteBranch, pushTo, tipOf } from '#pocket-github/test/branches';
import {
  appIdentity,
  appTokens,
  snapshotWithoutState,
  personalToken,
  QUIET_LOG,
  createTestGitHub,
} from '../../../support/github/github-adapter.js';
import { dataOf, type Exchange, type GraphqlRelay, openGraphqlRelay } from '../../../support/github/graphql-relay.js';
import {
  nullableFieldNames,
  nullableFields,
  operationOf,
  type NullableField,
  withNull,
} from '../../../support/github/nullable-fields.js';
import { openPocket, type TestPocket } from '#pocket-github/test/test-pocket';
import { enrichIssue, addPulls, openIssue, pushState, addManyComments } from '../../../support/github/rich-issue.js';

/*
 * GitHub may answer null wherever its schema allows it. Every document the service sends is answered once by Pocket; then each
 * place that may be null is null, one at a time, and the service must come to a value or to an error that it can wait out.
 */

const SCHEMA = loadGitHubSchema();

/** What snapshots and most writes end in. It is read in two ways, by a look and out of a write: each is tried once. */
const SHARED = 'IssueFacts';

/** Only there because a payload must ask for something; we send no such id. */
const UNREACHED = /\.clientMutationId$/;

let p: TestPocket;
let relay: GraphqlRelay;
let scenes: readonly Scene[];
const recordings = new Map<string, readonly Exchange[]>();

interface Scene {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

function github(tokens: TokenSource, identity: Identity): GitHub {
  return createTestGitHub({ apiUrl: relay.url, tokens, identity, clock: p.clock, log: QUIET_LOG });
}

/** More pull requests from a branch of one name than come with a snapshot, none of them ours, and no branch. */
async function crowd(branch: string): Promise<void> {
  const { pulls } = p.rest('wren').rest;
  await pushTo(p, branch, { files: { 'crowd.txt': 'crowd\n' } });
  for (let count = 0; count < 6; count += 1) {
    const { data } = await pulls.create({ ...p.at, title: 'Mine', head: branch, base: 'main' });
    await pulls.update({ ...p.at, pull_number: data.number, state: 'closed' });
  }
  await deleteBranch(p, branch);
}

async function openScenes(): Promise<readonly Scene[]> {
  const rich = await openIssue(p, 'Grow');
  const long = await openIssue(p, 'Talk');
  const crowded = await openIssue(p, 'Search');
  const landing = await openIssue(p, 'Land');
  await enrichIssue(p, rich.number);
  const pull = await addPulls(p, rich.number);
  await addManyComments(p, long.number);
  await crowd(workBranch(crowded.number));
  for (const { number } of [rich, long]) await pushState(p, number);
  await pushTo(p, workBranch(landing.number), { files: { 'land.txt': 'land\n' } });

  await pushTo(p, 'release', { files: { 'release.txt': 'release\n' } });

  const ada = personalToken(p, 'ada', ['repo', 'project']);
  const person = { accountId: p.users.ada.id, appId: null };
  const app = appTokens(p);
  const asAda = () => github(ada, person);
  const asApp = () => github(app, appIdentity(p));
  const ref = (number: number) => ({ ...p.at, number });
  const hints: SnapshotHints = { base: 'main', landed: tipOf(p, 'main'), pull: null };
  const look = async (number: number): Promise<IssueSnapshot> => {
    const snapshot = await asAda().snapshot(ref(number), hints);
    if (snapshot === null) throw new Error('the issue is gone');
    return snapshotWithoutState(snapshot);
  };
  const seen = await look(rich.number);
  const own = seen.comments.find(({ author }) => author?.id === person.accountId)?.id ?? '';
  const theirs = seen.comments.find(({ author }) => author?.id !== person.accountId)?.id ?? '';
  const onPull = (await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: pull })).data[0]?.node_id ?? '';
  const wanted = LABELS.slice(0, 1).map(({ name }) => name);
  const project = (name: string, change: Change, who = asAda): Scene => ({
    name: `project: ${name}`,
    run: () => who().project(seen, [change], hints),
  });
  const known = seen.pull === null ? null : { number: seen.pull.number, id: seen.pull.id };
  const { data: closed } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'closed', per_page: 100 });
  const ended = closed.find(({ merged_at: at }) => at !== null);
  const merged = { number: ended?.number ?? 0, id: ended?.node_id ?? '' };
  const opened: IssueSnapshot[] = [];
  const land = { branch: workBranch(landing.number), base: 'release', title: 'Land', body: '' };
  const found = await look(landing.number);
  return [
    { name: 'snapshot', run: () => asAda().snapshot(ref(rich.number), hints) },
    {
      name: 'snapshot of a long conversation, twice',
      run: async () => {
        const client = asAda();
        await client.snapshot(ref(long.number), hints);
        return client.snapshot(ref(long.number), hints);
      },
    },
    {
      name: 'snapshot with the pull request that is written down',
      run: () => asAda().snapshot(ref(rich.number), { ...hints, pull: known }),
    },
    {
      name: 'snapshot with a merged one that is written down',
      run: () => asAda().snapshot(ref(rich.number), { ...hints, pull: merged }),
    },
    {
      name: 'snapshot without our pull request among many',
      run: () => asAda().snapshot(ref(crowded.number), { ...hints, pull: { newerThan: 0 } }),
    },
    project('labels on', { kind: 'labels', add: wanted, remove: [] }),
    project('labels off', { kind: 'labels', add: [], remove: ['garden'] }),
    project('comment', { kind: 'comment', slot: 'status', body: 'New', existing: null }),
    project('comment edited', { kind: 'comment', slot: 'status', body: 'Newer', existing: own }),
    project('boxes ticked', { kind: 'tick', body: '- [x] One thing' }),
    project(
      'check run',
      { kind: 'check-run', name: 'sluice', head: tipOf(p, 'main'), conclusion: 'success', title: 'T', summary: 'S' },
      asApp,
    ),
    {
      name: 'open pull',
      run: async () => {
        opened.push(snapshotWithoutState(await asAda().openPull(found, land, hints)));
      },
    },
    {
      name: 'merge',
      run: () => {
        const [now] = opened;
        const [id, head] = [now?.pull?.id ?? '', now?.pull?.head ?? ''];
        return asAda().merge(now ?? found, { pullId: id, head, title: 'Land', body: '' }, hints);
      },
    },
    {
      name: 'acknowledge on the issue',
      run: () => asAda().acknowledge(ref(rich.number), { commentId: theirs, isPull: false }, hints),
    },
    {
      name: 'acknowledge on the pull request',
      run: () => asAda().acknowledge(ref(pull), { commentId: onPull, isPull: true }, hints),
    },
    {
      name: 'a silent look at a command on the issue',
      run: () => asAda().acknowledge(ref(rich.number), { commentId: theirs, isPull: false, isSilent: true }, hints),
    },
    {
      name: 'a silent look at a command on the pull request',
      run: () => asAda().acknowledge(ref(pull), { commentId: onPull, isPull: true, isSilent: true }, hints),
    },
    { name: 'react', run: () => asAda().react(p.at, theirs, 'ROCKET') },
    { name: 'reply', run: () => asAda().reply(ref(rich.number), 'one', 'Said') },
    { name: 'reply again', run: () => asAda().reply(ref(rich.number), 'one', 'Said better') },
    { name: 'reply on the pull request', run: () => asAda().reply(ref(pull), 'two', 'Said') },
    ...surveyScenes([rich.id, long.id]),
    project('comment removed', { kind: 'remove-comment', id: own }),
    project('closed', { kind: 'close' }),
  ];
}

function surveyScenes(ids: readonly string[]): readonly Scene[] {
  const { id: appId, privateKey } = p.app;
  const client = { apiUrl: p.pocket.urls.api, appId, privateKey, clock: p.clock, log: QUIET_LOG };
  const tokens = appTokens(p);
  const survey = () =>
    createScanner({
      ...client,
      apiUrl: relay.url,
      tokens,
      appClient: createAppClient(client),
      limits: createRateLimits({ clock: p.clock, log: QUIET_LOG, hints: createMemoryHintStore(p.clock) }),
    });
  const installation = { id: p.installation.id, owner: 'ada' };
  return [
    { name: 'sweep: repositories', run: () => survey().scan(installation, [{ repo: p.at, since: 0, pulls: true }]) },
    {
      name: 'sweep: threads',
      run: async () => {
        const { data: pulls } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' });
        return survey().threads(installation, [...ids, ...pulls.map(({ node_id }) => node_id)], 0);
      },
    },
  ];
}

beforeAll(async () => {
  p = await openPocket();
  relay = await openGraphqlRelay(p.pocket.urls.graphql);
  scenes = await openScenes();
  for (const { name, run } of scenes) recordings.set(name, await relay.record(run));
});

afterAll(async () => {
  await relay.close();
  await p.close();
});

/** What becomes of a scene; `null` when the service is still standing. */
async function trouble(scene: Scene): Promise<string | null> {
  try {
    await scene.run();
    return null;
  } catch (error) {
    if (!(error instanceof GitHubError)) return String(error);
    return error.problem === 'transient' || error.problem === 'not-found' ? null : `${error.problem}: ${error.message}`;
  }
}

const placesIn = (exchange: Exchange): readonly NullableField[] =>
  nullableFields(SCHEMA, exchange.query, SHARED, dataOf(exchange));

/** What a place is known by across documents. */
const placeKey = (operation: string, name: string): string =>
  name.startsWith(`${SHARED}.`) ? name : `${operation} ${name}`;

describe('null wherever the schema allows it', () => {
  test('leaves the service standing', async () => {
    const failures: string[] = [];
    const tried = new Set<string>();
    for (const scene of scenes) {
      const exchanges = recordings.get(scene.name) ?? [];
      for (const [index, exchange] of exchanges.entries()) {
        for (const { name, path } of placesIn(exchange)) {
          const kind = operationOf(exchange.query).operation;
          const key = `${kind} ${placeKey(`${scene.name}, ${exchange.operation}`, name)}`;
          if (tried.has(key)) continue;
          tried.add(key);
          const patched = { ...exchange, data: withNull(exchange.data, ['data', ...path]) };
          const why = await relay.replay(exchanges.with(index, patched), () => trouble(scene));
          if (why !== null) failures.push(`${scene.name}, ${exchange.operation} ${name}: ${why.slice(0, 300)}`);
        }
      }
    }
    expect(failures).toEqual([]);
    expect(tried.size).toBeGreaterThan(300);
  });

  test('every document of the service was among them, and every place of it held something', () => {
    const exchanges = [...recordings.values()].flat();
    const sent = new Set(exchanges.map(({ operation }) => operation));
    const known = ['queries.ts', 'queries-sweep.ts'].flatMap((file) => {
      const source = readFileSync(`src/adapters/github/queries/${file}`, 'utf8');
      return [...source.matchAll(/\b(?:query|mutation) (\w+)\(/g)].map((match) => match[1] ?? '');
    });
    expect(known.filter((operation) => !sent.has(operation))).toEqual([]);
    const reached = new Set(
      exchanges.flatMap((exchange) => placesIn(exchange).map(({ name }) => placeKey(exchange.operation, name))),
    );
    const places = exchanges.flatMap(({ operation, query }) =>
      [...nullableFieldNames(SCHEMA, query, SHARED)].map((name) => placeKey(operation, name)),
    );
    expect([...new Set(places)].filter((place) => !reached.has(place) && !UNREACHED.test(place))).toEqual([]);
  });
});
