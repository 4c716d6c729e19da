import type { components } from '@octokit/openapi-types';
import { z } from 'zod';
import { formatGitNodeId } from '../../graphql/git-node-id.js';
import { mediaTypeIn } from '../../http/media-type.js';
import { created, ok, type Reply } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { notFound } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import { READ, WRITE } from '../refs/access.js';
import { demandNotEmpty } from '../refs/rest.js';
import { decodeBase64, foldedBase64 } from './encoding.js';

/** A file as it is, for those who asked for the raw media type. */
export const rawReply = (content: Buffer): Reply<never> => ({
  status: 200,
  headers: { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' },
  body: { bytes: content },
});

export const blobRoutes = [
  route('POST /repos/{owner}/{repo}/git/blobs', {
    access: WRITE,
    body: z.object({ content: z.string(), encoding: z.enum(['utf-8', 'base64']).default('utf-8') }),
    handle: async ({ context, body }, repository) => {
      const { db, urls, world } = context;
      demandNotEmpty(db, repository);
      const content = body.encoding === 'base64' ? decodeBase64(body.content) : Buffer.from(body.content);
      const sha = await world.git(repository.id).writeBlob(content);
      return created({ sha, url: `${urls.api}/repos/${fullName(db, repository)}/git/blobs/${sha}` });
    },
  }),
  route('GET /repos/{owner}/{repo}/git/blobs/{file_sha}', {
    access: READ,
    handle: async ({ context, params, headers }, repository) => {
      const { db, urls, world } = context;
      const object = await world.git(repository.id).object(params['file_sha'] ?? '');
      if (object?.type !== 'blob') throw notFound();
      if (mediaTypeIn(headers) === 'raw') return rawReply(object.content);
      const { oid, content } = object;
      return ok({
        sha: oid,
        node_id: formatGitNodeId('Blob', repository.id, oid),
        size: content.length,
        url: `${urls.api}/repos/${fullName(db, repository)}/git/blobs/${oid}`,
        content: foldedBase64(content),
        encoding: 'base64',
      } satisfies components['schemas']['blob']);
    },
  }),
];
