import type { RepoRef } from '../../../domain/issue/ids.js';

/** Who acts with a credential. */
export interface Identity {
  /** Numeric id of the account that comments and events are signed with. */
  readonly accountId: number;
  /** `null` for a person's token, which cannot write check runs. */
  readonly appId: number | null;
}

/** The same, with the name GitHub shows for it. */
export interface NamedIdentity extends Identity {
  /** `sluice[bot]` for an App, the login of a person. */
  readonly login: string;
}

export interface AccessToken {
  readonly text: string;
  /** Whether asking for Projects makes sense; GitHub may refuse it all the same. */
  readonly readsProjects: boolean;
  /** Whose limits its requests count against: an installation, or a person. */
  readonly rateLimitKey: string;
}

/** Where credentials for a repository come from, for the API and for git alike. */
export interface TokenSource {
  /** A token that is good for this repository for the next minutes. */
  tokenFor(repo: RepoRef): Promise<AccessToken>;
  /** GitHub did not take this token. Answers whether there may be another one. */
  refused(repo: RepoRef, token: AccessToken): boolean;
  identity(): Promise<NamedIdentity>;
  /** How many tokens were made so far. */
  minted(): number;
  /** Makes the tokens that were made here useless: nothing is left to be stolen. Never fails. */
  revoke(): Promise<void>;
}
