import { z } from 'zod';
import { pageQuery, paginate } from '../../http/pagination.js';
import { created, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import type { Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { forbidden, notFound } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import type { CheckRun, Repository } from '../../world/model.js';
import { callingApp } from './calling-app.js';
import { annotationJson, runJson } from './check-json.js';
import { runsAt, runsQuery, runsReply, suitesReply } from './check-lists.js';
import { commitNamed } from './commit-reference.js';
import { newRunBody, runChange, runChangeBody } from './run-body.js';
import { createRun, updateRun } from './runs.js';
import { suiteRoutes } from './suite-rest.js';
import { rerequestRun } from './suites.js';

const READ: Need = { app: 'checks:read', role: 'read' };
/** No role suffices: an App is asked for further on. */
const WRITE: Need = { app: 'checks:write', role: 'read' };

function runIn({ context, params }: RestRequest<unknown, unknown>, repository: Repository): CheckRun {
  const run = context.db.checkRuns.get(Number(params['check_run_id']));
  if (run?.repositoryId !== repository.id) throw notFound();
  return run;
}

const runRoutes = [
  route('POST /repos/{owner}/{repo}/check-runs', {
    access: WRITE,
    body: newRunBody,
    handle: async ({ context, body }, repository) => {
      const { world, viewer } = context;
      const given = { ...runChange(body), name: body.name, headOid: body.head_sha };
      return created(runJson(context, await createRun(world, actorOf(viewer), repository, callingApp(viewer), given)));
    },
  }),
  route('GET /repos/{owner}/{repo}/check-runs/{check_run_id}', {
    access: READ,
    handle: (request, repository) => ok(runJson(request.context, runIn(request, repository))),
  }),
  route('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
    access: WRITE,
    body: runChangeBody,
    handle: async (request, repository) => {
      const { context, body } = request;
      const { world, viewer } = context;
      const app = callingApp(viewer);
      return ok(
        runJson(context, await updateRun(world, actorOf(viewer), app, runIn(request, repository), runChange(body))),
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations', {
    access: READ,
    query: z.object(pageQuery),
    handle: (request, repository) => {
      const { context, query } = request;
      const run = runIn(request, repository);
      const path = `/repos/${fullName(context.db, repository)}/check-runs/${run.id}/annotations`;
      const page = paginate(run.annotations, query, context, path);
      return { ...ok(page.rows.map((annotation) => annotationJson(context, run, annotation))), headers: page.headers };
    },
  }),
  route('POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest', {
    access: WRITE,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const run = runIn(request, repository);
      if (callingApp(viewer).id !== run.appId) throw forbidden('This check run is not rerequestable');
      await rerequestRun(world, actorOf(viewer), run);
      return created({});
    },
  }),
];

const commitRoutes = [
  route('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
    access: READ,
    query: runsQuery,
    handle: async ({ context, params, query }, repository) => {
      const oid = await commitNamed(context, repository, params['ref'] ?? '');
      const path = `/repos/${fullName(context.db, repository)}/commits/${oid}/check-runs`;
      return runsReply(context, runsAt(context.db, repository, oid, query.filter), query, path);
    },
  }),
  route('GET /repos/{owner}/{repo}/commits/{ref}/check-suites', {
    access: READ,
    query: z.object({ ...pageQuery, app_id: z.coerce.number().int().optional(), check_name: z.string().optional() }),
    handle: async ({ context, params, query }, repository) => {
      const oid = await commitNamed(context, repository, params['ref'] ?? '');
      const filter = { appId: query.app_id, checkName: query.check_name };
      return suitesReply(context, repository, oid, filter, query);
    },
  }),
];

export const checkRoutes = [...runRoutes, ...suiteRoutes, ...commitRoutes];
