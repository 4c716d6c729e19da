import { z } from 'zod';
import { formatRepo, type RepoRef } from '../../../domain/issue/ids.js';
import type { Instant } from '../../../ports/clock.js';
import { GitHubError } from '../../../ports/github.js';
import type { Log } from '../../../ports/log.js';
import { type AppClient, type AppClientOptions, createAppClient } from './app-client.js';
import { parseAnswer, refusalOf } from '../client/errors.js';
import { type Permissions, permissionsFor, READING } from './permissions.js';
import { createSend, type Send } from '../client/send.js';
import type { AccessToken, NamedIdentity, TokenSource } from './token-source.js';

export interface AppTokensOptions extends AppClientOptions {
  readonly log: Log;
}

interface Installation {
  readonly id: number;
  readonly permissions: Permissions;
}

interface Minted {
  readonly token: AccessToken;
  /** By our own clock, with a margin: a push that starts now must still be let in at its end. */
  readonly freshUntil: Instant;
}

const MARGIN_MS = 5 * 60_000;
const LOOKUP = 'GET /repos/{owner}/{repo}/installation';
const MINT = 'POST /app/installations/{installation_id}/access_tokens';
const REVOKE = 'DELETE /installation/token';

const appSchema = z.object({ id: z.number(), slug: z.string() });
const accountSchema = z.object({ id: z.number() });
const installationSchema = z.object({ id: z.number(), permissions: z.record(z.string(), z.string()) });
const mintedSchema = z.object({
  token: z.string(),
  expires_at: z.string(),
  permissions: z.record(z.string(), z.string()),
});

/** What an App can also get: a token that only reads, for everything an installation covers. */
export interface AppTokenSource extends TokenSource {
  readerOf(installation: number): Promise<AccessToken>;
  /** GitHub did not take this token. */
  readerRefused(installation: number, token: AccessToken): void;
}

/** Installation tokens of a GitHub App: each for one repository and with the least permissions, reused while it is good. */
export function createAppTokens(options: AppTokensOptions): AppTokenSource {
  return new AppTokens(options);
}

class AppTokens implements AppTokenSource {
  readonly #options: AppTokensOptions;
  readonly #send: Send;
  readonly #asApp: AppClient;
  readonly #installations = new Map<string, Installation>();
  readonly #tokens = new Map<string, Minted>();
  /** Those who ask at the same time share one token. */
  readonly #underWay = new Map<string, Promise<AccessToken>>();
  /** Every token that may still work, and until when. */
  readonly #live = new Map<string, Instant>();
  #minted = 0;

  constructor(options: AppTokensOptions) {
    this.#options = options;
    this.#send = createSend(options);
    this.#asApp = createAppClient(options);
  }

  tokenFor(repo: RepoRef): Promise<AccessToken> {
    const key = keyOf(repo);
    return this.#fresh(key, () => this.#make(repo, key));
  }

  readerOf(installation: number): Promise<AccessToken> {
    const key = installationKey(installation);
    return this.#fresh(key, () => this.#mint(key, installation, { permissions: READING }));
  }

  refused(repo: RepoRef, token: AccessToken): boolean {
    this.#forget(keyOf(repo), token);
    return true;
  }

  readerRefused(installation: number, token: AccessToken): void {
    this.#forget(installationKey(installation), token);
  }

  minted(): number {
    return this.#minted;
  }

  /** The App, and the bot account it acts as. */
  async identity(): Promise<NamedIdentity> {
    const app = parseAnswer('GET /app', appSchema, (await this.#asApp('GET /app')).data);
    const route = 'GET /users/{username}';
    const login = `${app.slug}[bot]`;
    const answer = await this.#send({ route, parameters: { username: login }, authorization: null });
    if (answer.status !== 200) throw refusalOf(route, answer, this.#options.clock.now());
    return { accountId: parseAnswer(route, accountSchema, answer.data).id, appId: app.id, login };
  }

  async revoke(): Promise<void> {
    const { clock, log } = this.#options;
    const live = [...this.#live].filter(([, until]) => clock.now() < until).map(([text]) => text);
    this.#live.clear();
    this.#tokens.clear();
    await Promise.all(
      live.map(async (text) => {
        const answer = await this.#send({ route: REVOKE, authorization: `token ${text}` }).catch(() => null);
        // It ends by itself within the hour.
        if (answer?.status !== 204) log.warn({ status: answer?.status ?? null }, 'token not revoked');
      }),
    );
  }

  async #fresh(key: string, make: () => Promise<AccessToken>): Promise<AccessToken> {
    const known = this.#tokens.get(key);
    if (known !== undefined && this.#options.clock.now() < known.freshUntil) return known.token;
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const made = make().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, made);
    return made;
  }

  #forget(key: string, token: AccessToken): void {
    if (this.#tokens.get(key)?.token === token) this.#tokens.delete(key);
    this.#live.delete(token.text);
  }

  async #make(repo: RepoRef, key: string): Promise<AccessToken> {
    const remembered = this.#installations.get(key);
    if (remembered === undefined) return this.#mintFor(repo, key, await this.#lookUp(repo));
    try {
      return await this.#mintFor(repo, key, remembered);
    } catch (error) {
      if (!(error instanceof GitHubError) || error.retry === 'transient') throw error;
      // Installed anew, or with other permissions, since we looked.
      this.#installations.delete(key);
      return this.#mintFor(repo, key, await this.#lookUp(repo));
    }
  }

  async #lookUp({ owner, repo }: RepoRef): Promise<Installation> {
    return parseAnswer(LOOKUP, installationSchema, (await this.#asApp(LOOKUP, { owner, repo })).data);
  }

  async #mintFor(repo: RepoRef, key: string, installation: Installation): Promise<AccessToken> {
    const permissions = permissionsFor(repo, installation.permissions);
    const token = await this.#mint(key, installation.id, { repositories: [repo.repo], permissions });
    this.#installations.set(key, installation);
    return token;
  }

  async #mint(key: string, installation: number, scope: Readonly<Record<string, unknown>>): Promise<AccessToken> {
    const { clock, log } = this.#options;
    const answer = await this.#asApp(MINT, { installation_id: installation, ...scope });
    const made = parseAnswer(MINT, mintedSchema, answer.data);
    this.#minted += 1;
    log.info({ for: key, installation }, 'installation token created');
    const token: AccessToken = {
      text: made.token,
      readsProjects: made.permissions['organization_projects'] !== undefined,
      rateLimitKey: installationKey(installation),
    };
    const endsAt = clock.now() + Date.parse(made.expires_at) - answer.at;
    this.#tokens.set(key, { token, freshUntil: endsAt - MARGIN_MS });
    for (const [text, until] of this.#live) if (until <= clock.now()) this.#live.delete(text);
    this.#live.set(token.text, endsAt);
    return token;
  }
}

const keyOf = (repo: RepoRef): string => formatRepo(repo).toLowerCase();
/** No repository is called like this. */
const installationKey = (installation: number): string => `installation ${installation}`;
