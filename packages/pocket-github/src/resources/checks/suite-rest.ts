import { z } from 'zod';
import { created, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import type { Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import type { CheckSuite, Repository } from '../../world/model.js';
import { callingApp } from './calling-app.js';
import { suiteJson } from './check-json.js';
import { runsAt, runsQuery, runsReply } from './check-lists.js';
import { demandCommit } from './runs.js';
import { findSuite, requestSuite, rerequestSuite } from './suites.js';

const READ: Need = { app: 'checks:read', role: 'read' };
/** No role suffices: an App is asked for further on. */
const WRITE: Need = { app: 'checks:write', role: 'read' };

function suiteIn({ context, params }: RestRequest<unknown, unknown>, repository: Repository): CheckSuite {
  const suite = context.db.checkSuites.get(Number(params['check_suite_id']));
  if (suite?.repositoryId !== repository.id) throw notFound();
  return suite;
}

export const suiteRoutes = [
  route('POST /repos/{owner}/{repo}/check-suites', {
    access: WRITE,
    body: z.object({ head_sha: z.string() }),
    handle: async ({ context, body }, repository) => {
      const { world, viewer } = context;
      const app = callingApp(viewer);
      await demandCommit(world, repository, body.head_sha);
      const known = findSuite(world.tables, repository, app.id, body.head_sha);
      if (known !== undefined) return ok(await suiteJson(context, known));
      return created(
        await suiteJson(context, await requestSuite(world, actorOf(viewer), repository, app, { oid: body.head_sha })),
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/check-suites/{check_suite_id}', {
    access: READ,
    handle: async (request, repository) => ok(await suiteJson(request.context, suiteIn(request, repository))),
  }),
  route('GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs', {
    access: READ,
    query: runsQuery.omit({ app_id: true }),
    handle: (request, repository) => {
      const { context, query } = request;
      const suite = suiteIn(request, repository);
      const runs = runsAt(context.db, repository, suite.headOid, query.filter).filter(
        (run) => run.suiteId === suite.id,
      );
      return runsReply(
        context,
        runs,
        query,
        `/repos/${fullName(context.db, repository)}/check-suites/${suite.id}/check-runs`,
      );
    },
  }),
  route('POST /repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest', {
    access: WRITE,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      callingApp(viewer);
      await rerequestSuite(world, actorOf(viewer), suiteIn(request, repository));
      return created({});
    },
  }),
];
