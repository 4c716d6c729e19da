import type { components } from '@octokit/openapi-webhooks-types';
import { type PayloadBuilders, webhook } from '../../webhooks/payload.js';
import { fullName } from '../../world/lookup.js';
import { branchShortJson } from '../branches/branch-json.js';
import { commitJson } from '../commits/commit-json.js';
import { simpleStatusJson } from './status-json.js';

type PublishedCommit = components['schemas']['webhook-status']['commit'];

/** GitHub lists at most this many branches. */
const MAX_BRANCHES = 10;

export const statusPayloads: PayloadBuilders = {
  'status created': async (context, { data }) => {
    const { db, world } = context;
    const status = db.statuses.must(data.statusId);
    const repository = db.repositories.must(status.repositoryId);
    const commit = await world.git(repository.id).commit(status.oid);
    if (commit === null) throw new Error(`a status is on ${status.oid}, which is not a commit`);
    const branches = db.refs
      .by('oid', status.oid)
      .filter((ref) => ref.repositoryId === repository.id && ref.name.startsWith('refs/heads/'));
    const { avatar_url, created_at, updated_at } = simpleStatusJson(context, status);
    return webhook('status', 'webhook-status', {
      id: status.id,
      sha: status.oid,
      name: fullName(db, repository),
      avatar_url,
      target_url: status.targetUrl,
      context: status.context,
      description: status.description,
      state: status.state,
      // The REST type lets any text be the reason of a missing signature, the webhook's only GitHub's own.
      commit: commitJson(context, repository, commit) as PublishedCommit,
      branches: branches.slice(0, MAX_BRANCHES).map((ref) => branchShortJson(context, ref)),
      created_at,
      updated_at,
    });
  },
};
