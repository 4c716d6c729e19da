import type { RepoRef } from '../../../domain/issue/ids.js';

/** The identity behind a credential. */
export interface Identity {
  /** Numeric id of the account that comments and events show. */
  readonly accountId: number;
  /** `null` for a person's token, which cannot write check runs. */
  readonly appId: number | null;
}

/** An identity with the name GitHub shows. */
export interface NamedIdentity extends Identity {
  /** `sluice[bot]` for an App, the login of a person. */
  readonly login: string;
}

export interface AccessToken {
  readonly text: string;
  /** Whether to ask for Projects; GitHub may still refuse. */
  readonly readsProjects: boolean;
  /** Whose limits its requests count against: an installation, or a person. */
  readonly rateLimitKey: string;
}

/** Where credentials for a repository come from, for the API and for git alike. */
export interface TokenSource {
  /** A token for this repository that stays valid for the next minutes. */
  tokenFor(repo: RepoRef): Promise<AccessToken>;
  /** GitHub refused this token. Returns whether another one may work. */
  refused(repo: RepoRef, token: AccessToken): boolean;
  identity(): Promise<NamedIdentity>;
  /** How many tokens were made so far. */
  minted(): number;
  /** Revokes our tokens, so that none can be stolen. Never fails. */
  revoke(): Promise<void>;
}
