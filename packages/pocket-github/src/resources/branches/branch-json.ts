import type { components } from '@octokit/openapi-types';
import type { GitCommit } from '../../git/git-repository.js';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Ref } from '../../world/model.js';
import { commitJson } from '../commits/commit-json.js';
import { isProtected, protectionOf } from '../protection/effective-rules.js';
import { splitRefName } from '../refs/ref-name.js';

type Schemas = components['schemas'];

function addresses({ db, urls }: Scope, ref: Ref) {
  const repository = fullName(db, db.repositories.must(ref.repositoryId));
  const path = splitRefName(ref.name).short.split('/').map(encodeURIComponent).join('/');
  const self = `${urls.api}/repos/${repository}/branches/${path}`;
  return { self, html: `${urls.html}/${repository}/tree/${path}`, protection_url: `${self}/protection` };
}

/** A branch as lists of branches show it. */
export function branchShortJson(scope: Scope, ref: Ref) {
  const { db, urls } = scope;
  const repository = db.repositories.must(ref.repositoryId);
  return {
    name: splitRefName(ref.name).short,
    commit: { sha: ref.oid, url: `${urls.api}/repos/${fullName(db, repository)}/commits/${ref.oid}` },
    protected: isProtected(db, repository, splitRefName(ref.name).short),
  } satisfies Schemas['branch-short'];
}

/** The little of classic protection that everybody who reads may know. */
function protectionSummary({ db }: Scope, ref: Ref) {
  const repository = db.repositories.must(ref.repositoryId);
  const protection = protectionOf(db, repository, splitRefName(ref.name).short);
  const checks = protection?.rules.requiredChecks ?? [];
  const level = protection?.enforceAdmins === true ? 'everyone' : 'non_admins';
  return {
    enabled: protection !== undefined,
    required_status_checks: {
      enforcement_level: checks.length === 0 ? 'off' : level,
      contexts: checks.map(({ context }) => context),
      checks: checks.map(({ context, appId }) => ({ context, app_id: appId })),
    },
  } satisfies Schemas['branch-protection'];
}

export function branchListItemJson(scope: Scope, ref: Ref) {
  return {
    ...branchShortJson(scope, ref),
    protection: protectionSummary(scope, ref),
    protection_url: addresses(scope, ref).protection_url,
  } satisfies Schemas['short-branch'];
}

export function branchJson(scope: Scope, ref: Ref, commit: GitCommit) {
  const { self, html, protection_url } = addresses(scope, ref);
  return {
    ...branchListItemJson(scope, ref),
    commit: commitJson(scope, scope.db.repositories.must(ref.repositoryId), commit),
    _links: { self, html },
    protection_url,
  } satisfies Schemas['branch-with-protection'];
}
