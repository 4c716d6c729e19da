import type { components } from '@octokit/openapi-types';
import { z } from 'zod';
import type { GitPerson, GitTag } from '../../git/git-repository.js';
import { formatGitNodeId } from '../../graphql/git-node-id.js';
import type { Scope } from '../../http/context.js';
import { created, ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound, unprocessable } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import { gitPerson } from '../pulls/git-people.js';
import { READ, WRITE } from '../refs/access.js';
import { isRefName } from '../refs/ref-name.js';
import { demandNotEmpty } from '../refs/rest.js';
import { datedPersonJson, UNSIGNED } from './git-commit-json.js';
import { personBody, personOf } from './git-person.js';

const NOBODY: GitPerson = { name: '', email: '', at: 0 };

function tagJson({ db, urls }: Scope, repository: Repository, oid: Oid, tag: GitTag) {
  const api = `${urls.api}/repos/${fullName(db, repository)}/git`;
  return {
    node_id: formatGitNodeId('Tag', repository.id, oid),
    sha: oid,
    url: `${api}/tags/${oid}`,
    tag: tag.name,
    message: tag.message.trimEnd(),
    tagger: datedPersonJson(tag.tagger ?? NOBODY),
    object: { sha: tag.target, type: tag.targetType, url: `${api}/${tag.targetType}s/${tag.target}` },
    verification: UNSIGNED,
  } satisfies components['schemas']['git-tag'];
}

/** A tag object is not a tag yet: that takes a ref, made by its own request. */
export const tagRoutes = [
  route('POST /repos/{owner}/{repo}/git/tags', {
    access: WRITE,
    body: z.object({
      tag: z.string(),
      message: z.string(),
      object: z.string(),
      type: z.enum(['commit', 'tree', 'blob']),
      tagger: personBody.optional(),
    }),
    handle: async ({ context, body }, repository) => {
      const { world, viewer, db } = context;
      demandNotEmpty(db, repository);
      const git = world.git(repository.id);
      if (!isRefName(`refs/tags/${body.tag}`)) throw unprocessable(`${body.tag} is not a valid tag name.`);
      if ((await git.object(body.object))?.type !== body.type) throw unprocessable('Object does not exist');
      const viewing = world.tables.users.must(actorOf(viewer).userId);
      const tagger = body.tagger === undefined ? gitPerson(world, viewing) : personOf(world, body.tagger);
      const tag = { name: body.tag, target: body.object, targetType: body.type, message: body.message, tagger };
      return created(tagJson(context, repository, await git.writeTag(tag), tag));
    },
  }),
  route('GET /repos/{owner}/{repo}/git/tags/{tag_sha}', {
    access: READ,
    handle: async ({ context, params }, repository) => {
      const object = await context.world.git(repository.id).object(params['tag_sha'] ?? '');
      if (object?.type !== 'tag') throw notFound();
      return ok(tagJson(context, repository, object.oid, object));
    },
  }),
];
