import { noContent, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { allows, demand, type Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound } from '../../world/errors.js';
import { findRef } from '../../world/lookup.js';
import type { BranchProtection, Repository } from '../../world/model.js';
import { protectionOf } from './effective-rules.js';
import { checksIn, protectionBody, requiredChecksBody, settingsIn } from './protection-body.js';
import {
  enforceAdminsJson,
  protectionJson,
  protectionUrl,
  requiredChecksJson,
  requiresChecks,
} from './protection-json.js';
import { changeProtection, protectBranch, unprotect } from './rules.js';

const KNOW: Need = { app: 'metadata:read', role: 'read' };
const READ: Need = { app: 'administration:read', role: 'admin' };
const WRITE: Need = { app: 'administration:write', role: 'admin' };

type AnyRequest = RestRequest<unknown, unknown>;

/** The branch named in the path. Only administrators can see whether it is protected. */
function branchIn({ context, params }: AnyRequest, repository: Repository): string {
  const { db, viewer } = context;
  if (viewer.kind === 'personal' && !allows(db, viewer, repository, READ)) throw notFound();
  demand(db, viewer, repository, READ);
  const branch = params['branch'] ?? '';
  if (findRef(db, repository.id, `refs/heads/${branch}`) === undefined) throw notFound('Branch not found');
  return branch;
}

function protectionIn(
  request: AnyRequest,
  repository: Repository,
): { branch: string; protection: BranchProtection; url: string } {
  const branch = branchIn(request, repository);
  const protection = protectionOf(request.context.db, repository, branch);
  if (protection === undefined) throw notFound('Branch not protected');
  return { branch, protection, url: protectionUrl(request.context, repository, branch) };
}

function requiredChecksIn(request: AnyRequest, repository: Repository) {
  const found = protectionIn(request, repository);
  if (!requiresChecks(found.protection.rules)) throw notFound('Required status checks not enabled');
  return found;
}

const wholeRoutes = [
  route('GET /repos/{owner}/{repo}/branches/{branch}/protection', {
    access: KNOW,
    handle: (request, repository) => {
      const { branch, protection } = protectionIn(request, repository);
      return ok(protectionJson(request.context, repository, branch, protection));
    },
  }),
  route('PUT /repos/{owner}/{repo}/branches/{branch}/protection', {
    access: WRITE,
    body: protectionBody,
    handle: async (request, repository) => {
      const { context, body } = request;
      const { world, viewer } = context;
      const branch = branchIn(request, repository);
      const settings = settingsIn(world.tables, repository, body);
      const protection = await protectBranch(world, actorOf(viewer), repository, branch, settings);
      return ok(protectionJson(context, repository, branch, protection));
    },
  }),
  route('DELETE /repos/{owner}/{repo}/branches/{branch}/protection', {
    access: WRITE,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      await unprotect(world, actorOf(viewer), protectionIn(request, repository).protection);
      return noContent();
    },
  }),
];

const requiredCheckRoutes = [
  route('GET /repos/{owner}/{repo}/branches/{branch}/protection/required_status_checks', {
    access: KNOW,
    handle: (request, repository) => {
      const { protection, url } = requiredChecksIn(request, repository);
      return ok(requiredChecksJson(url, protection.rules));
    },
  }),
  route('PATCH /repos/{owner}/{repo}/branches/{branch}/protection/required_status_checks', {
    access: WRITE,
    body: requiredChecksBody,
    handle: async (request, repository) => {
      const { context, body } = request;
      const { world, viewer } = context;
      const { protection, url } = requiredChecksIn(request, repository);
      const { rules } = protection;
      const requiredChecks = checksIn(world.tables, repository, body) ?? rules.requiredChecks;
      const next = { ...rules, requiredChecks, strictChecks: body.strict ?? rules.strictChecks };
      const changed = await changeProtection(world, actorOf(viewer), protection, { rules: next });
      return ok(requiredChecksJson(url, changed.rules));
    },
  }),
];

const enforceAdminsRoutes = [
  route('GET /repos/{owner}/{repo}/branches/{branch}/protection/enforce_admins', {
    access: KNOW,
    handle: (request, repository) => {
      const { protection, url } = protectionIn(request, repository);
      return ok(enforceAdminsJson(url, protection.enforceAdmins));
    },
  }),
  route('POST /repos/{owner}/{repo}/branches/{branch}/protection/enforce_admins', {
    access: WRITE,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const { protection, url } = protectionIn(request, repository);
      await changeProtection(world, actorOf(viewer), protection, { enforceAdmins: true });
      return ok(enforceAdminsJson(url, true));
    },
  }),
  route('DELETE /repos/{owner}/{repo}/branches/{branch}/protection/enforce_admins', {
    access: WRITE,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      await changeProtection(world, actorOf(viewer), protectionIn(request, repository).protection, {
        enforceAdmins: false,
      });
      return noContent();
    },
  }),
];

export const protectionRoutes = [...wholeRoutes, ...requiredCheckRoutes, ...enforceAdminsRoutes];
