import type { components } from '@octokit/openapi-webhooks-types';
import { type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import type { CheckSuite } from '../../world/model.js';
import { minimalRepositoryJson } from '../repositories/repository-json.js';
import { runJson, suiteFacts, suiteJson } from './check-json.js';

type Schemas = components['schemas'];

/** A run with its suite, as webhooks carry it. */
function runBody(
  context: PayloadContext,
  runId: number,
  before: Partial<Pick<CheckSuite, 'status' | 'conclusion'>> = {},
) {
  const run = context.db.checkRuns.must(runId);
  const suite = context.db.checkSuites.must(run.suiteId);
  const { latest_check_runs_count: _, check_runs_url: __, ...facts } = suiteFacts(context, suite);
  const repository = minimalRepositoryJson(context, context.db.repositories.must(run.repositoryId));
  // The published type knows fewer statuses and App events than GitHub sends.
  return {
    ...runJson(context, run),
    check_suite: { ...facts, ...before, repository },
  } as unknown as Schemas['check-run-with-simple-check-suite'];
}

async function suiteBody(context: PayloadContext, suite: CheckSuite) {
  const { repository: _, ...body } = await suiteJson(context, suite);
  // As above; `repository` is beside the suite, not in it.
  return body as unknown as Schemas['webhook-check-suite-completed']['check_suite'] &
    Schemas['webhook-check-suite-requested']['check_suite'] &
    Schemas['webhook-check-suite-rerequested']['check_suite'];
}

/* Results of checks go to all subscribers; requests to run a check go only to the App that runs it. */
export const checkPayloads: PayloadBuilders = {
  'check run created': (context, { data }) =>
    webhook('check_run', 'webhook-check-run-created', { action: 'created', check_run: runBody(context, data.runId) }),
  'check run completed': (context, { data }) =>
    webhook('check_run', 'webhook-check-run-completed', {
      action: 'completed',
      check_run: runBody(context, data.runId),
    }),
  'check run rerequested': (context, { data }) => ({
    ...webhook('check_run', 'webhook-check-run-rerequested', {
      action: 'rerequested',
      // The App is shown the suite as it was before it was asked to do it again.
      check_run: runBody(context, data.runId, { status: 'completed', conclusion: data.conclusion }),
    }),
    onlyAppId: context.db.checkRuns.must(data.runId).appId,
  }),
  'check suite requested': async (context, { data }) => {
    const suite = context.db.checkSuites.must(data.suiteId);
    const check_suite = await suiteBody(context, suite);
    return {
      ...webhook('check_suite', 'webhook-check-suite-requested', { action: 'requested', check_suite }),
      onlyAppId: suite.appId,
    };
  },
  'check suite rerequested': async (context, { data }) => {
    const suite = context.db.checkSuites.must(data.suiteId);
    const check_suite = await suiteBody(context, suite);
    return {
      ...webhook('check_suite', 'webhook-check-suite-rerequested', { action: 'rerequested', check_suite }),
      onlyAppId: suite.appId,
    };
  },
  'check suite completed': async (context, { data }) => {
    const check_suite = await suiteBody(context, context.db.checkSuites.must(data.suiteId));
    return webhook('check_suite', 'webhook-check-suite-completed', { action: 'completed', check_suite });
  },
};
