import { z } from 'zod';
import { created, noContent, ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { conflict, notFound } from '../../world/errors.js';
import { findRef } from '../../world/lookup.js';
import type { Ref, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { READ, WRITE } from './access.js';
import { createRef, deleteRef, type RefWords, updateRef } from './changes.js';
import { refJson } from './ref-json.js';

const REST_WORDS: RefWords = {
  exists: () => 'Reference already exists',
  badName: (name) =>
    name.split('/').length < 3
      ? 'Reference name must contain at least three slash-separated components.'
      : `${name} is not a valid ref name.`,
  cannotCreate: 'Reference update failed',
  cannotUpdate: 'Reference cannot be updated',
};

/** A repository without commits has no git data to ask about. */
export function demandNotEmpty(db: Tables, repository: Repository): void {
  if (db.refs.by('repositoryId', repository.id).length === 0) throw conflict('Git Repository is empty.');
}

const byName = (a: Ref, b: Ref): number => (a.name < b.name ? -1 : 1);

export const refRoutes = [
  route('GET /repos/{owner}/{repo}/git/ref/{ref}', {
    access: READ,
    handle: async ({ context, params }, repository) => {
      demandNotEmpty(context.db, repository);
      const ref = findRef(context.db, repository.id, `refs/${params['ref']}`);
      if (ref === undefined) throw notFound();
      return ok(await refJson(context, ref));
    },
  }),
  route('GET /repos/{owner}/{repo}/git/matching-refs/{ref}', {
    access: READ,
    handle: async ({ context, params }, repository) => {
      demandNotEmpty(context.db, repository);
      const refs = context.db.refs.by('repositoryId', repository.id);
      const matching = refs.filter(({ name }) => name.startsWith(`refs/${params['ref']}`)).sort(byName);
      return ok(await Promise.all(matching.map((ref) => refJson(context, ref))));
    },
  }),
  route('POST /repos/{owner}/{repo}/git/refs', {
    access: WRITE,
    body: z.object({ ref: z.string(), sha: z.string() }),
    handle: async ({ context, body }, repository) => {
      demandNotEmpty(context.db, repository);
      const ref = await createRef(context, repository, { name: body.ref, oid: body.sha }, REST_WORDS);
      return created(await refJson(context, ref));
    },
  }),
  route('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
    access: WRITE,
    body: z.object({ sha: z.string(), force: z.boolean().default(false) }),
    handle: async ({ context, params, body }, repository) => {
      const change = { oid: body.sha, force: body.force };
      return ok(
        await refJson(context, await updateRef(context, repository, `refs/${params['ref']}`, change, REST_WORDS)),
      );
    },
  }),
  route('DELETE /repos/{owner}/{repo}/git/refs/{ref}', {
    access: WRITE,
    handle: async ({ context, params }, repository) => {
      await deleteRef(context, repository, `refs/${params['ref']}`, REST_WORDS);
      return noContent();
    },
  }),
];
