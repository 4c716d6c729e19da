import { createSign, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seedInstallation } from '../../src/resources/apps/seed-app.js';
import { seedCollaborator, seedPersonalToken, seedRepository, seedUser } from '../../src/seed/seed-repository.js';
import type { AppPermissions, Installation, Repository } from '../../src/world/model.js';
import { ensureCiApp } from '../../src/ci/ci-app.js';
import { openPocket, type Person, type TestPocket } from '../support/test-pocket.js';

let p: TestPocket;
let vault: Repository;
let elsewhere: Repository;
let installationElsewhere: Installation;

/** Beside the public `ada/sandbox`: the private `ada/vault`, where wren writes and rita reads, and the private `guild/den`. */
beforeAll(async () => {
  p = await openPocket();
  const { world } = p.pocket;
  vault = await seedRepository(world, { owner: p.users.ada, name: 'vault', private: true });
  seedCollaborator(world, vault, p.users.wren, 'write');
  seedCollaborator(world, vault, p.users.rita, 'read');
  const guild = seedUser(world, { login: 'guild', type: 'Organization' });
  elsewhere = await seedRepository(world, { owner: guild, name: 'den', private: true });
  installationElsewhere = seedInstallation(world, p.app, guild, 'all');
});
afterAll(() => p.close());

interface Answer {
  readonly status: number;
  readonly message: string | undefined;
  readonly headers: Headers;
}

async function call(route: string, authorization: string | null, body?: object): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  const headers = authorization === null ? {} : { authorization };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${p.pocket.urls.api}${path}`, { method, headers, ...init });
  const text = await response.text();
  const parsed = text === '' ? {} : (JSON.parse(text) as { readonly message?: string });
  return { status: response.status, message: parsed.message, headers: response.headers };
}

const as = (person: Person): string => `token ${p.tokenOf(person)}`;

interface TokenRequest {
  readonly permissions?: AppPermissions;
  readonly repository_ids?: number[];
}

async function installationToken(request: TokenRequest = {}, installation = p.installation): Promise<string> {
  const { data } = await p.rest('app-jwt').request('POST /app/installations/{installation_id}/access_tokens', {
    installation_id: installation.id,
    ...(request as object),
  });
  return data.token;
}

describe('a JSON web token', () => {
  const now = (): number => Math.floor(p.clock.now() / 1000);
  const stranger = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

  function jwt(claims: object = {}, options: { readonly key?: string; readonly alg?: string } = {}): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const body = `${part({ alg: options.alg ?? 'RS256', typ: 'JWT' })}.${part({ iat: now() - 60, exp: now() + 300, iss: p.app.id, ...claims })}`;
    return `${body}.${createSign('RSA-SHA256')
      .update(body)
      .sign(options.key ?? p.app.privateKey, 'base64url')}`;
  }

  const UNDECODABLE = 'A JSON web token could not be decoded';
  const EXPIRED =
    "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
  const ISSUED = "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";

  test.each([
    ['with the App id as a number', () => jwt(), 200, undefined],
    ['with the App id as text', () => jwt({ iss: String(p.app.id) }), 200, undefined],
    ['with the client id', () => jwt({ iss: p.app.clientId }), 200, undefined],
    ['that lives exactly ten minutes', () => jwt({ exp: now() + 600 }), 200, undefined],
    [
      'that lives longer',
      () => jwt({ exp: now() + 601 }),
      401,
      "'Expiration time' claim ('exp') is too far in the future",
    ],
    ['that has expired', () => jwt({ exp: now() }), 401, EXPIRED],
    ['without an end', () => jwt({ exp: undefined }), 401, EXPIRED],
    ['issued in the future', () => jwt({ iat: now() + 1 }), 401, ISSUED],
    ['without a beginning', () => jwt({ iat: undefined }), 401, ISSUED],
    ['signed by somebody else', () => jwt({}, { key: stranger.privateKey }), 401, UNDECODABLE],
    ['of another algorithm', () => jwt({}, { alg: 'none' }), 401, UNDECODABLE],
    ['whose signature was cut off', () => jwt().replace(/\.[^.]+$/, '.AA'), 401, UNDECODABLE],
    ['of an App that does not exist', () => jwt({ iss: 999_999 }), 404, 'Integration not found'],
    [
      'of an App that is built in and has no key',
      () => jwt({ iss: ensureCiApp(p.pocket.world).id }),
      404,
      'Integration not found',
    ],
    ['without an issuer', () => jwt({ iss: undefined }), 401, "'Issuer' claim ('iss') must be an Integer"],
  ])('%s', async (_, make, status, message) => {
    expect(await call('GET /app', `Bearer ${make()}`)).toMatchObject({ status, message });
  });

  test.each(['GET /repos/ada/sandbox', 'GET /repos/ada/vault', 'GET /user', 'POST /repos/ada/sandbox/labels'])(
    'is no credential for %s',
    async (route) => {
      expect(await call(route, `Bearer ${jwt()}`)).toMatchObject({ status: 401, message: 'Bad credentials' });
    },
  );

  test('is no credential for GraphQL', async () => {
    const response = await fetch(p.pocket.urls.graphql, {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt()}` },
      body: JSON.stringify({ query: '{ viewer { login } }' }),
    });
    expect(response.status).toBe(401);
  });

  test('is what an endpoint of Apps wants: no other credential will do', async () => {
    const expected = { status: 401, message: UNDECODABLE };
    expect(await call('GET /app', as('ada'))).toMatchObject(expected);
    expect(await call('GET /app', `token ${await installationToken()}`)).toMatchObject(expected);
    expect(await call('GET /app', null)).toMatchObject(expected);
  });
});

describe('a credential', () => {
  test.each([
    ['unknown', 'token ghp_nobody'],
    ['empty', 'token '],
    ['of an unknown scheme', 'Digest abc'],
  ])('that is %s is refused, not taken for nobody', async (_, authorization) => {
    expect(await call('GET /repos/ada/sandbox', authorization)).toMatchObject({
      status: 401,
      message: 'Bad credentials',
    });
  });

  test('may come as token, as Bearer, or as the password of Basic', async () => {
    const token = p.tokenOf('ada');
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    for (const authorization of [`token ${token}`, `Bearer ${token}`, `bearer ${token}`, `Basic ${basic}`]) {
      expect(await call('GET /repos/ada/vault', authorization)).toMatchObject({ status: 200 });
    }
  });

  test('of an installation works for an hour', async () => {
    const other = await openPocket({ private: true });
    const { data } = await other
      .rest('app-jwt')
      .rest.apps.createInstallationAccessToken({ installation_id: other.installation.id });
    const read = () =>
      fetch(`${other.pocket.urls.api}/repos/ada/sandbox`, { headers: { authorization: `token ${data.token}` } });
    other.clock.advance(3_599_000);
    expect((await read()).status).toBe(200);
    other.clock.advance(1_000);
    expect((await read()).status).toBe(401);
    await other.close();
  });

  test('of an installation ends when it is revoked', async () => {
    const token = `token ${await installationToken()}`;
    expect(await call('DELETE /installation/token', token)).toMatchObject({ status: 204 });
    expect(await call('GET /repos/ada/sandbox', token)).toMatchObject({ status: 401, message: 'Bad credentials' });
  });

  test('of an installation rests while the installation is suspended', async () => {
    const token = `token ${await installationToken()}`;
    const { installations } = p.pocket.world.tables;
    installations.update(p.installation, { suspendedAt: p.clock.now() });
    expect(await call('GET /repos/ada/vault', token)).toMatchObject({
      status: 403,
      message: 'This installation has been suspended',
    });
    installations.update(p.installation, { suspendedAt: null });
    expect(await call('GET /repos/ada/vault', token)).toMatchObject({ status: 200 });
  });
});

describe('who may do what', () => {
  const READ = 'GET /repos/{repo}/labels';
  const WRITE = 'POST /repos/{repo}/labels';
  const ADMIN = 'PATCH /repos/{repo}';
  const scopedToken = (scopes: readonly string[]) => () =>
    `token ${seedPersonalToken(p.pocket.world, p.users.ada, scopes).text}`;
  const appToken =
    (request: () => TokenRequest, installation = () => p.installation) =>
    async () =>
      `token ${await installationToken(request(), installation())}`;
  const nobody = () => null;
  const narrow = appToken(() => ({ permissions: { contents: 'write' } }));
  const readOnly = appToken(() => ({ permissions: { issues: 'read' } }));
  const vaultOnly = appToken(() => ({ repository_ids: [vault.id] }));
  const sandboxOnly = appToken(() => ({ repository_ids: [p.repository.id] }));
  const ofGuild = appToken(
    () => ({}),
    () => installationElsewhere,
  );

  const PUSH = 'Must have push access to repository';
  const ADMIN_ONLY = 'Must have admin rights to Repository.';
  const INTEGRATION = 'Resource not accessible by integration';

  type Case = readonly [
    who: string,
    credential: () => string | null | Promise<string | null>,
    route: string,
    repo: string,
    status: number,
    message?: string,
  ];
  const table: readonly Case[] = [
    ['nobody', nobody, READ, 'ada/sandbox', 200],
    ['nobody', nobody, WRITE, 'ada/sandbox', 401, 'Requires authentication'],
    ['nobody', nobody, READ, 'ada/vault', 404, 'Not Found'],
    ['nobody', nobody, WRITE, 'ada/vault', 404, 'Not Found'],
    ['nobody', nobody, READ, 'ada/nothing', 404, 'Not Found'],
    ['an outsider', () => as('mallory'), READ, 'ada/sandbox', 200],
    ['an outsider', () => as('mallory'), WRITE, 'ada/sandbox', 403, PUSH],
    ['an outsider', () => as('mallory'), READ, 'ada/vault', 404, 'Not Found'],
    ['a reader', () => as('rita'), READ, 'ada/vault', 200],
    ['a reader', () => as('rita'), WRITE, 'ada/vault', 403, PUSH],
    ['a triager', () => as('tess'), WRITE, 'ada/sandbox', 403, PUSH],
    ['a writer', () => as('wren'), WRITE, 'ada/vault', 201],
    ['a writer', () => as('wren'), ADMIN, 'ada/vault', 403, ADMIN_ONLY],
    ['the owner', () => as('ada'), ADMIN, 'ada/vault', 200],
    ["the owner's token for public repositories", scopedToken(['public_repo']), WRITE, 'ada/sandbox', 201],
    ["the owner's token for public repositories", scopedToken(['public_repo']), READ, 'ada/vault', 404, 'Not Found'],
    ["the owner's token without scopes", scopedToken([]), READ, 'ada/sandbox', 200],
    ["the owner's token without scopes", scopedToken([]), WRITE, 'ada/sandbox', 404, 'Not Found'],
    ['an installation', appToken(() => ({})), WRITE, 'ada/vault', 201],
    ['an installation', appToken(() => ({})), READ, 'guild/den', 404, 'Not Found'],
    ['an installation elsewhere', ofGuild, READ, 'guild/den', 200],
    ['an installation elsewhere', ofGuild, READ, 'ada/sandbox', 200],
    ['an installation elsewhere', ofGuild, WRITE, 'ada/sandbox', 403, INTEGRATION],
    ['an installation elsewhere', ofGuild, READ, 'ada/vault', 404, 'Not Found'],
    ['a token without the permission', narrow, WRITE, 'ada/sandbox', 403, INTEGRATION],
    ['a token without the permission', narrow, READ, 'ada/vault', 403, INTEGRATION],
    ['a token without the permission', narrow, READ, 'ada/sandbox', 200],
    ['a token with the read permission', readOnly, READ, 'ada/vault', 200],
    ['a token with the read permission', readOnly, WRITE, 'ada/vault', 403, INTEGRATION],
    ['a token for one repository', vaultOnly, WRITE, 'ada/vault', 201],
    ['a token for one repository', vaultOnly, WRITE, 'ada/sandbox', 403, INTEGRATION],
    ['a token for another repository', sandboxOnly, READ, 'ada/vault', 404, 'Not Found'],
  ];

  const cases = table.map(([who, credential, route, repo, status, message]) => ({
    who,
    credential,
    route,
    repo,
    status,
    message,
  }));

  test.each(cases)(
    '$who: $route of $repo is answered $status',
    async ({ credential, route, repo, status, message }) => {
      const bodies: Readonly<Record<string, object>> = {
        [WRITE]: { name: `label ${p.pocket.journal.lastSeq()}` },
        [ADMIN]: { description: 'changed' },
      };
      const answer = await call(route.replace('{repo}', repo), await credential(), bodies[route]);
      expect({ status: answer.status, message: answer.message }).toEqual({ status, message });
    },
  );

  test('nobody may write what only a reader may, however public the repository', async () => {
    const route = 'POST /repos/ada/sandbox/issues';
    expect(await call(route, null, { title: 'x' })).toMatchObject({ status: 401 });
    expect(await call(route, await ofGuild(), { title: 'x' })).toMatchObject({ status: 403, message: INTEGRATION });
    expect(await call(route, as('mallory'), { title: 'x' })).toMatchObject({ status: 201 });
  });

  test('an answer names the permission that was wanted and the scopes that were had', async () => {
    const refused = await call('POST /repos/ada/vault/labels', await readOnly(), { name: 'x' });
    expect(refused.headers.get('x-accepted-github-permissions')).toBe('issues=write');
    const answered = await call('GET /repos/ada/sandbox', as('ada'));
    expect(answered.headers.get('x-oauth-scopes')).toBe('repo, workflow');
  });

  test('a private repository that is looked up over GraphQL does not exist for those who may not see it', async () => {
    const repository = 'query { repository(owner: "ada", name: "vault") { id } }';
    const { repository: seen } = await (await p.graphql('wren'))<{ repository: { id: string } }>(repository);
    const query = await p.graphql('mallory');
    await expect(query(repository)).rejects.toMatchObject({
      errors: [
        {
          type: 'NOT_FOUND',
          path: ['repository'],
          message: "Could not resolve to a Repository with the name 'ada/vault'.",
        },
      ],
    });
    await expect(query('query ($id: ID!) { node(id: $id) { id } }', { id: seen.id })).rejects.toMatchObject({
      errors: [{ type: 'NOT_FOUND', path: ['node'] }],
    });
    expect(elsewhere.private).toBe(true);
  });
});
