import { z } from 'zod';
import { listReply, pageQuery, paginate } from '../../http/pagination.js';
import { created, noContent, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import type { Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound, UnmodelledError } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import type { Repository, Ruleset } from '../../world/model.js';
import { rulesetsOf } from '../protection/effective-rules.js';
import { bypassActor, parseBypass } from './bypass-actors.js';
import { formatRules } from './format-rules.js';
import { parseRules } from './parse-rules.js';
import { changeRuleset, createRuleset, deleteRuleset, type RulesetSettings } from './rules.js';
import { rulesetJson, rulesetSummaryJson } from './ruleset-json.js';

const READ: Need = { app: 'metadata:read', role: 'read' };
const WRITE: Need = { app: 'administration:write', role: 'admin' };

const enforcement = z.enum(['disabled', 'active', 'evaluate']);
const conditions = z.strictObject({
  ref_name: z
    .strictObject({ include: z.array(z.string()).optional(), exclude: z.array(z.string()).optional() })
    .optional(),
});
const settings = {
  target: z.enum(['branch', 'tag', 'push']).optional(),
  bypass_actors: z.array(bypassActor).optional(),
  conditions: conditions.optional(),
  rules: z
    .array(z.strictObject({ type: z.string(), parameters: z.record(z.string(), z.unknown()).optional() }))
    .optional(),
};
const newRuleset = z.object({ name: z.string().min(1), enforcement, ...settings });
const rulesetChange = z.object({
  name: z.string().min(1).optional(),
  enforcement: enforcement.optional(),
  ...settings,
});

/** What a request sets; what it does not mention is left out. */
function settingsIn(body: z.infer<typeof rulesetChange>): Partial<RulesetSettings> {
  if (body.target === 'push') throw new UnmodelledError('rulesets for pushes');
  if (body.enforcement === 'evaluate') throw new UnmodelledError('rulesets that only evaluate');
  const names = body.conditions?.ref_name;
  return {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.enforcement === undefined ? {} : { enforcement: body.enforcement }),
    ...(body.target === undefined ? {} : { target: body.target }),
    ...(body.conditions === undefined ? {} : { include: names?.include ?? [], exclude: names?.exclude ?? [] }),
    ...(body.rules === undefined ? {} : { rules: parseRules(body.rules) }),
    ...(body.bypass_actors === undefined ? {} : parseBypass(body.bypass_actors)),
  };
}

function rulesetIn({ context, params }: RestRequest<unknown, unknown>, repository: Repository): Ruleset {
  const ruleset = context.db.rulesets.get(Number(params['ruleset_id']));
  if (ruleset?.repositoryId !== repository.id) throw notFound();
  return ruleset;
}

export const rulesetRoutes = [
  route('GET /repos/{owner}/{repo}/rulesets', {
    access: READ,
    // Organisation rulesets are not modelled, so there are never parents to include or to leave out.
    query: z.object({ ...pageQuery, includes_parents: z.string().optional(), targets: z.string().optional() }),
    handle: ({ context, query }, repository) => {
      const targets = query.targets?.split(',');
      const rows = context.db.rulesets
        .by('repositoryId', repository.id)
        .filter(({ target }) => targets === undefined || targets.includes(target));
      const path = `/repos/${fullName(context.db, repository)}/rulesets`;
      return listReply(rows, query, context, path, (ruleset) => rulesetSummaryJson(context, ruleset));
    },
  }),
  route('POST /repos/{owner}/{repo}/rulesets', {
    access: WRITE,
    body: newRuleset,
    handle: async ({ context, body }, repository) => {
      const { name, enforcement: level } = body;
      const blank = {
        target: 'branch' as const,
        include: [],
        exclude: [],
        bypassAppIds: [],
        bypassRoles: [],
        rules: parseRules([]),
      };
      const row = { ...blank, ...settingsIn(body), name, enforcement: level };
      return created(
        rulesetJson(context, await createRuleset(context.world, actorOf(context.viewer), repository, row)),
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/rulesets/{ruleset_id}', {
    access: READ,
    query: z.object({ includes_parents: z.string().optional() }),
    handle: (request, repository) => ok(rulesetJson(request.context, rulesetIn(request, repository))),
  }),
  route('PUT /repos/{owner}/{repo}/rulesets/{ruleset_id}', {
    access: WRITE,
    body: rulesetChange,
    handle: async (request, repository) => {
      const { context, body } = request;
      const { world, viewer } = context;
      const ruleset = await changeRuleset(world, actorOf(viewer), rulesetIn(request, repository), settingsIn(body));
      return ok(rulesetJson(context, ruleset));
    },
  }),
  route('DELETE /repos/{owner}/{repo}/rulesets/{ruleset_id}', {
    access: WRITE,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      await deleteRuleset(world, actorOf(viewer), rulesetIn(request, repository));
      return noContent();
    },
  }),
  route('GET /repos/{owner}/{repo}/rules/branches/{branch}', {
    access: READ,
    query: z.object(pageQuery),
    handle: ({ context, params, query }, repository) => {
      const { db } = context;
      const branch = params['branch'] ?? '';
      const source = { ruleset_source_type: 'Repository' as const, ruleset_source: fullName(db, repository) };
      const rules = rulesetsOf(db, repository, `refs/heads/${branch}`).flatMap((ruleset) =>
        formatRules(ruleset.rules).map((rule) => ({ ...rule, ...source, ruleset_id: ruleset.id })),
      );
      const page = paginate(rules, query, context, `/repos/${fullName(db, repository)}/rules/branches/${branch}`);
      return { ...ok([...page.rows]), headers: page.headers };
    },
  }),
];
