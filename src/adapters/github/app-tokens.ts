import { z } from 'zod';
import { formatRepo, type RepoRef } from '../../domain/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import { GitHubError } from '../../ports/github.js';
import type { Log } from '../../ports/log.js';
import { appJwt } from './app-jwt.js';
import { type Answer, parsed, refusalOf } from './errors.js';
import { type Permissions, permissionsFor } from './permissions.js';
import { createSend, type Send } from './send.js';
import type { AccessToken, Identity, TokenSource } from './token-source.js';

export interface AppTokensOptions {
  readonly apiUrl: string;
  readonly appId: number;
  readonly privateKey: string;
  readonly clock: Clock;
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

const appSchema = z.object({ id: z.number(), slug: z.string() });
const accountSchema = z.object({ id: z.number() });
const installationSchema = z.object({ id: z.number(), permissions: z.record(z.string(), z.string()) });
const mintedSchema = z.object({
  token: z.string(),
  expires_at: z.string(),
  permissions: z.record(z.string(), z.string()),
});

/** Installation tokens of a GitHub App: each for one repository and with the least permissions, reused while it is good. */
export function createAppTokens(options: AppTokensOptions): TokenSource {
  return new AppTokens(options);
}

class AppTokens implements TokenSource {
  readonly #options: AppTokensOptions;
  readonly #send: Send;
  readonly #installations = new Map<string, Installation>();
  readonly #tokens = new Map<string, Minted>();
  /** Those who ask at the same time share one token. */
  readonly #underWay = new Map<string, Promise<AccessToken>>();
  #minted = 0;
  /** How far GitHub's clock is ahead of ours. */
  #skew = 0;

  constructor(options: AppTokensOptions) {
    this.#options = options;
    this.#send = createSend(options);
  }

  async tokenFor(repo: RepoRef): Promise<AccessToken> {
    const key = formatRepo(repo).toLowerCase();
    const known = this.#tokens.get(key);
    if (known !== undefined && this.#options.clock.now() < known.freshUntil) return known.token;
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const made = this.#make(repo, key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, made);
    return made;
  }

  refused(repo: RepoRef, token: AccessToken): boolean {
    const key = formatRepo(repo).toLowerCase();
    if (this.#tokens.get(key)?.token === token) this.#tokens.delete(key);
    return true;
  }

  minted(): number {
    return this.#minted;
  }

  /** The App, and the bot account it acts as. */
  async identity(): Promise<Identity> {
    const app = parsed('GET /app', appSchema, (await this.#asApp('GET /app')).data);
    const route = 'GET /users/{username}';
    const answer = await this.#send({ route, parameters: { username: `${app.slug}[bot]` }, authorization: null });
    if (answer.status !== 200) throw refusalOf(route, answer, this.#options.clock.now());
    return { accountId: parsed(route, accountSchema, answer.data).id, appId: app.id };
  }

  async #make(repo: RepoRef, key: string): Promise<AccessToken> {
    const remembered = this.#installations.get(key);
    if (remembered === undefined) return this.#mint(repo, key, await this.#lookUp(repo));
    try {
      return await this.#mint(repo, key, remembered);
    } catch (error) {
      if (!(error instanceof GitHubError) || error.retry === 'transient') throw error;
      // Installed anew, or with other permissions, since we looked.
      this.#installations.delete(key);
      return this.#mint(repo, key, await this.#lookUp(repo));
    }
  }

  async #lookUp({ owner, repo }: RepoRef): Promise<Installation> {
    return parsed(LOOKUP, installationSchema, (await this.#asApp(LOOKUP, { owner, repo })).data);
  }

  async #mint(repo: RepoRef, key: string, installation: Installation): Promise<AccessToken> {
    const { clock, log } = this.#options;
    const permissions = permissionsFor(repo, installation.permissions);
    const wish = { installation_id: installation.id, repositories: [repo.repo], permissions };
    const answer = await this.#asApp(MINT, wish);
    const made = parsed(MINT, mintedSchema, answer.data);
    this.#minted += 1;
    log.info({ repository: formatRepo(repo), installation: installation.id }, 'installation token made');
    const token = { text: made.token, readsProjects: made.permissions['organization_projects'] !== undefined };
    const life = Date.parse(made.expires_at) - answer.at;
    this.#installations.set(key, installation);
    this.#tokens.set(key, { token, freshUntil: clock.now() + life - MARGIN_MS });
    return token;
  }

  /** As the App itself. A clock that is wrong is the one reason to ask a second time. */
  async #asApp(route: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    const { appId, privateKey, clock } = this.#options;
    const ask = (): Promise<Answer> => {
      const jwt = appJwt(appId, privateKey, clock.now() + this.#skew);
      return this.#send({ route, parameters, authorization: `bearer ${jwt}` });
    };
    const believed = this.#skew;
    const first = await ask();
    this.#skew = first.at - clock.now();
    const wasWrong = first.status === 401 && Math.abs(this.#skew - believed) > 1000;
    const answer = wasWrong ? await ask() : first;
    if (answer.status >= 400) throw refusalOf(route, answer, clock.now());
    return answer;
  }
}
