import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { mediaTypeIn } from '../../http/media-type.js';
import { json, ok } from '../../http/reply.js';
import { type Answer, route } from '../../http/route.js';
import { notFound, UnmodelledError } from '../../world/errors.js';
import type { Oid, Repository } from '../../world/model.js';
import { rawReply } from '../git-data/blob-rest.js';
import { decodeBase64 } from '../git-data/encoding.js';
import { gitCommitJson } from '../git-data/git-commit-json.js';
import { personBody, personOf } from '../git-data/git-person.js';
import { READ, WRITE } from '../refs/access.js';
import { contentFacts, directoryJson, fileContentJson, symlinkJson } from './content-json.js';
import { commitToRead, find, findReadme, type Found } from './reading.js';
import { type FileWrite, writeFile } from './write-file.js';

type ContentAnswer = Answer<'GET /repos/{owner}/{repo}/contents/{path}'>;

const pathIn = (params: Readonly<Record<string, string>>): string =>
  (params['path'] ?? '').replaceAll(/^\/+|\/+$/g, '');

function foundJson(
  context: Context,
  repository: Repository,
  found: Found,
  ref: string,
  asObject: boolean,
): ContentAnswer {
  const place = { entry: found.entry, ref };
  if (found.kind === 'file') return fileContentJson(context, repository, place, found.content);
  if (found.kind === 'symlink') return symlinkJson(context, repository, place, found.target);
  const entries = directoryJson(
    context,
    repository,
    found.entries.map((entry) => ({ entry, ref })),
  );
  // The published answer knows only the list; the object is what its own media type asks for.
  return asObject ? ({ ...contentFacts(context, repository, place), entries } as unknown as ContentAnswer) : entries;
}

const writeBody = {
  message: z.string(),
  branch: z.string().optional(),
  author: personBody.optional(),
  committer: personBody.optional(),
};

const deleteBody = z.object({ ...writeBody, sha: z.string() });
const putBody = z.object({ ...writeBody, content: z.string(), sha: z.string().optional() });

type WriteBody = Omit<z.infer<typeof putBody>, 'content'>;

function writeOf(
  { world }: Context,
  repository: Repository,
  path: string,
  body: WriteBody,
  content: Buffer | null,
): FileWrite {
  return {
    path,
    content,
    message: body.message,
    branch: (body.branch ?? repository.defaultBranch).replace(/^refs\/heads\//, ''),
    sha: body.sha,
    author: body.author && personOf(world, body.author),
    committer: body.committer && personOf(world, body.committer),
  };
}

async function commitJsonOf(context: Context, repository: Repository, oid: Oid) {
  const commit = await context.world.git(repository.id).commit(oid);
  if (commit === null) throw notFound();
  return gitCommitJson(context, repository, commit);
}

const reads = [
  route('GET /repos/{owner}/{repo}/contents/{path}', {
    access: READ,
    query: z.object({ ref: z.string().optional() }),
    handle: async ({ context, params, query, headers }, repository) => {
      const form = mediaTypeIn(headers);
      const path = pathIn(params);
      if (form === 'html') throw new UnmodelledError('contents rendered as HTML');
      const commit = await commitToRead(context, repository, query.ref);
      const found = await find(context.world.git(repository.id), commit, path);
      if (form === 'raw' && found.kind === 'file') return rawReply(found.content);
      return ok(foundJson(context, repository, found, query.ref ?? repository.defaultBranch, form === 'object'));
    },
  }),
  route('GET /repos/{owner}/{repo}/readme', {
    access: READ,
    query: z.object({ ref: z.string().optional() }),
    handle: async ({ context, query, headers }, repository) => {
      const form = mediaTypeIn(headers);
      if (form === 'html') throw new UnmodelledError('the README rendered as HTML');
      const git = context.world.git(repository.id);
      const commit = await commitToRead(context, repository, query.ref);
      const found = await find(git, commit, await findReadme(git, commit));
      if (found.kind !== 'file') throw notFound();
      if (form === 'raw') return rawReply(found.content);
      const place = { entry: found.entry, ref: query.ref ?? repository.defaultBranch };
      return ok(fileContentJson(context, repository, place, found.content));
    },
  }),
];

const writes = [
  route('PUT /repos/{owner}/{repo}/contents/{path}', {
    access: WRITE,
    body: putBody,
    handle: async ({ context, params, body }, repository) => {
      const write = writeOf(context, repository, pathIn(params), body, decodeBase64(body.content));
      const { commit, isNew } = await writeFile(context, repository, write);
      const entry = await context.world.git(repository.id).entryAt(commit, write.path);
      if (entry === null) throw notFound();
      const { download_url, ...facts } = contentFacts(context, repository, { entry, ref: write.branch });
      const content = { ...facts, download_url: download_url ?? '' };
      return json(isNew ? 201 : 200, { content, commit: await commitJsonOf(context, repository, commit) });
    },
  }),
  route('DELETE /repos/{owner}/{repo}/contents/{path}', {
    access: WRITE,
    body: deleteBody,
    handle: async ({ context, params, body }, repository) => {
      const write = writeOf(context, repository, pathIn(params), body, null);
      const { commit } = await writeFile(context, repository, write);
      return ok({ content: null, commit: await commitJsonOf(context, repository, commit) });
    },
  }),
];

export const contentRoutes = [...reads, ...writes];
