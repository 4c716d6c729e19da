import { z } from 'zod';
import { formatRepo, type RepoRef } from '../../../domain/issue/ids.js';
import type { Instant } from '../../../ports/clock.js';
import { GitHubError } from '../../../ports/github.js';
import { type AppClient, type AppClientOptions, createAppClient } from './app-client.js';
import { parseAnswer } from '../client/errors.js';
import { answerOf, requestAs } from '../client/rules/rule.js';
import { type Permissions, permissionsFor, READING, type TokenPermissions } from './permissions.js';
import type { AccessToken, NamedIdentity, TokenSource } from './token-source.js';

interface Installation {
  readonly id: number;
  readonly permissions: Permissions;
}

/** What a token is good for. */
interface TokenScope {
  /** By name; by default all repositories of the installation. */
  readonly repositories?: string[];
  readonly permissions: TokenPermissions | typeof READING;
}

interface Minted {
  readonly token: AccessToken;
  /** By our clock, with a margin: a push that starts now must still be accepted at its end. */
  readonly freshUntil: Instant;
}

const MARGIN_MS = 5 * 60_000;

const appSchema = z.object({ id: z.number(), slug: z.string() });
const accountSchema = z.object({ id: z.number() });
const installationSchema = z.object({ id: z.number(), permissions: z.record(z.string(), z.string()) });
const mintedSchema = z.object({
  token: z.string(),
  expires_at: z.string(),
  permissions: z.record(z.string(), z.string()),
});

/** An App's token source. It also gives read-only tokens for all repositories of an installation. */
export interface AppTokenSource extends TokenSource {
  readerOf(installation: number): Promise<AccessToken>;
  /** GitHub refused this token. */
  readerRefused(installation: number, token: AccessToken): void;
}

/** Installation tokens of a GitHub App: each for one repository with minimal permissions, reused while valid. */
export function createAppTokens(options: AppClientOptions): AppTokenSource {
  return new AppTokens(options);
}

class AppTokens implements AppTokenSource {
  readonly #options: AppClientOptions;
  readonly #client: AppClient;
  readonly #installations = new Map<string, Installation>();
  readonly #tokens = new Map<string, Minted>();
  /** Requests at the same time share one token. */
  readonly #underWay = new Map<string, Promise<AccessToken>>();
  /** Every token that may still be valid, and until when. */
  readonly #live = new Map<string, Instant>();
  #minted = 0;

  constructor(options: AppClientOptions) {
    this.#options = options;
    this.#client = createAppClient(options);
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
    const { rest, asApp } = this.#client;
    const { data: app } = await rest.apps.getAuthenticated({ request: asApp });
    const { id: appId, slug } = parseAnswer('the App', appSchema, app);
    const login = `${slug}[bot]`;
    const { data: account } = await rest.users.getByUsername({ username: login, request: requestAs(null) });
    return { accountId: parseAnswer('the account of the App', accountSchema, account).id, appId, login };
  }

  async revoke(): Promise<void> {
    const { clock, log } = this.#options;
    const live = [...this.#live].filter(([, until]) => clock.now() < until).map(([text]) => text);
    this.#live.clear();
    this.#tokens.clear();
    await Promise.all(
      live.map(async (text) => {
        try {
          await this.#client.rest.apps.revokeInstallationAccessToken({ request: requestAs(`token ${text}`) });
        } catch (error) {
          // It expires within the hour.
          log.warn({ error }, 'token not revoked');
        }
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
      // The installation or its permissions have changed since.
      this.#installations.delete(key);
      return this.#mintFor(repo, key, await this.#lookUp(repo));
    }
  }

  async #lookUp({ owner, repo }: RepoRef): Promise<Installation> {
    const { rest, asApp } = this.#client;
    const { data } = await rest.apps.getRepoInstallation({ owner, repo, request: asApp });
    return parseAnswer('the installation', installationSchema, data);
  }

  async #mintFor(repo: RepoRef, key: string, installation: Installation): Promise<AccessToken> {
    const permissions = permissionsFor(repo, installation.permissions);
    const token = await this.#mint(key, installation.id, { repositories: [repo.repo], permissions });
    this.#installations.set(key, installation);
    return token;
  }

  async #mint(key: string, installation: number, scope: TokenScope): Promise<AccessToken> {
    const { clock, log } = this.#options;
    const { rest, asApp } = this.#client;
    const response = await rest.apps.createInstallationAccessToken({
      installation_id: installation,
      ...scope,
      request: asApp,
    });
    const { data, at } = answerOf(response);
    const made = parseAnswer('the installation token', mintedSchema, data);
    this.#minted += 1;
    log.info({ for: key, installation }, 'installation token created');
    const token: AccessToken = {
      text: made.token,
      readsProjects: made.permissions['organization_projects'] !== undefined,
      rateLimitKey: installationKey(installation),
    };
    const endsAt = clock.now() + Date.parse(made.expires_at) - at;
    this.#tokens.set(key, { token, freshUntil: endsAt - MARGIN_MS });
    for (const [text, until] of this.#live) if (until <= clock.now()) this.#live.delete(text);
    this.#live.set(token.text, endsAt);
    return token;
  }
}

const keyOf = (repo: RepoRef): string => formatRepo(repo).toLowerCase();
/** No repository can have this name. */
const installationKey = (installation: number): string => `installation ${installation}`;
