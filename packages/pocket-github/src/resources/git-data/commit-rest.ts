import { z } from 'zod';
import { created, ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound, unprocessable } from '../../world/errors.js';
import { gitPerson } from '../pulls/git-people.js';
import { READ, WRITE } from '../refs/access.js';
import { demandNotEmpty } from '../refs/rest.js';
import { gitCommitJson } from './git-commit-json.js';
import { personBody, personOf } from './git-person.js';

export const gitCommitRoutes = [
  route('POST /repos/{owner}/{repo}/git/commits', {
    access: WRITE,
    body: z.object({
      message: z.string(),
      tree: z.string(),
      parents: z.array(z.string()).default([]),
      author: personBody.optional(),
      committer: personBody.optional(),
    }),
    handle: async ({ context, body }, repository) => {
      const { world, viewer, db } = context;
      demandNotEmpty(db, repository);
      const git = world.git(repository.id);
      if ((await git.object(body.tree))?.type !== 'tree') throw unprocessable('Tree SHA does not exist');
      for (const parent of body.parents) {
        if ((await git.commit(parent)) === null)
          throw unprocessable('Parent SHA does not exist or is not a commit object');
      }
      const viewing = world.tables.users.must(actorOf(viewer).userId);
      const author = body.author === undefined ? gitPerson(world, viewing) : personOf(world, body.author);
      const committer = body.committer === undefined ? author : personOf(world, body.committer);
      const { tree, parents, message } = body;
      const commit = await git.commit(await git.writeCommit({ tree, parents, message, author, committer }));
      if (commit === null) throw notFound();
      return created(gitCommitJson(context, repository, commit));
    },
  }),
  route('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', {
    access: READ,
    handle: async ({ context, params }, repository) => {
      demandNotEmpty(context.db, repository);
      const commit = await context.world.git(repository.id).commit(params['commit_sha'] ?? '');
      if (commit === null) throw notFound();
      return ok(gitCommitJson(context, repository, commit));
    },
  }),
];
