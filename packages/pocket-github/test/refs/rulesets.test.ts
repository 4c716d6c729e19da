import { describe, expect, test } from '@jest/globals';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { openPocket, type Person, type TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const REVIEWED = {
  type: 'pull_request' as const,
  parameters: {
    allowed_merge_methods: ['merge' as const, 'squash' as const, 'rebase' as const],
    dismiss_stale_reviews_on_push: true,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 1,
    required_review_thread_resolution: true,
  },
};
const CHECKED = {
  type: 'required_status_checks' as const,
  parameters: {
    do_not_enforce_on_create: false,
    required_status_checks: [{ context: 'build' }, { context: 'lint', integration_id: 42 }],
    strict_required_status_checks_policy: true,
  },
};
const QUEUED = {
  type: 'merge_queue' as const,
  parameters: {
    check_response_timeout_minutes: 30,
    grouping_strategy: 'ALLGREEN' as const,
    max_entries_to_build: 100,
    max_entries_to_merge: 3,
    merge_method: 'SQUASH' as const,
    min_entries_to_merge: 1,
    min_entries_to_merge_wait_minutes: 0,
  },
};
const RULES = [
  { type: 'deletion' as const },
  { type: 'non_fast_forward' as const },
  { type: 'update' as const },
  { type: 'required_linear_history' as const },
  QUEUED,
  REVIEWED,
  CHECKED,
];
const create = (more: Record<string, unknown> = {}, who: Person | 'app' = 'ada') =>
  p.rest(who).rest.repos.createRepoRuleset({
    ...p.at,
    name: 'Main',
    enforcement: 'active',
    conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
    rules: RULES,
    ...more,
  });

describe('rulesets by REST', () => {
  test('read back as they were made', async () => {
    const bypass_actors = [
      { actor_id: p.app.id, actor_type: 'Integration' as const, bypass_mode: 'always' as const },
      { actor_id: 5, actor_type: 'RepositoryRole' as const, bypass_mode: 'always' as const },
    ];
    const { data, status } = await create({ bypass_actors });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      name: 'Main',
      target: 'branch',
      source_type: 'Repository',
      source: 'ada/sandbox',
      enforcement: 'active',
      conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
      rules: RULES,
      bypass_actors,
      current_user_can_bypass: 'always',
    });
    expect((await p.rest('ada').rest.repos.getRepoRuleset({ ...p.at, ruleset_id: data.id })).data).toEqual(data);
  });

  test('show who may bypass only to those who may change them', async () => {
    const { data } = await create({
      bypass_actors: [{ actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' }],
    });
    const seen = (await p.rest('wren').rest.repos.getRepoRuleset({ ...p.at, ruleset_id: data.id })).data;
    expect(seen.bypass_actors).toBeUndefined();
    expect(seen).toMatchObject({ current_user_can_bypass: 'never', rules: RULES });
  });

  test('are made by administrators', async () => {
    expect((await refusalOf(create({}, 'wren'))).status).toBe(403);
  });

  test('have names of their own', async () => {
    await create();
    expect(await refusalOf(create())).toMatchObject({ status: 422, errors: ['Name must be unique'] });
  });

  test('change only in what is given, and go', async () => {
    const { data } = await create();
    const { repos } = p.rest('ada').rest;
    const at = { ...p.at, ruleset_id: data.id };
    const { data: changed } = await repos.updateRepoRuleset({ ...at, rules: [{ type: 'deletion' }] });
    expect(changed).toMatchObject({ name: 'Main', enforcement: 'active', rules: [{ type: 'deletion' }] });
    expect((await repos.getRepoRulesets(p.at)).data).toMatchObject([{ id: data.id, name: 'Main' }]);
    await repos.deleteRepoRuleset(at);
    expect((await repos.getRepoRulesets(p.at)).data).toEqual([]);
    expect((await refusalOf(repos.getRepoRuleset(at))).status).toBe(404);
  });

  test('are listed rule by rule for a branch, if they are active and aim at it', async () => {
    const { data: main } = await create();
    await create({ name: 'Off', enforcement: 'disabled' });
    await create({
      name: 'Elsewhere',
      conditions: { ref_name: { include: ['refs/heads/release/**/*'], exclude: [] } },
    });
    const rules = async (branch: string) => (await p.rest('rita').rest.repos.getBranchRules({ ...p.at, branch })).data;
    const source = { ruleset_source_type: 'Repository', ruleset_source: 'ada/sandbox', ruleset_id: main.id };
    expect(await rules('main')).toEqual(RULES.map((rule) => ({ ...rule, ...source })));
    expect(await rules('work')).toEqual([]);
    expect(await rules('release/1/x')).toHaveLength(RULES.length);
  });

  test('tell everybody who listens', async () => {
    p.pocket.world.tables.installations.update(p.installation, { events: ['repository_ruleset'] });
    const { data } = await create();
    const ruleset_id = data.id;
    await p.rest('ada').rest.repos.updateRepoRuleset({ ...p.at, ruleset_id, name: 'Trunk', rules: [REVIEWED] });
    await p.rest('ada').rest.repos.deleteRepoRuleset({ ...p.at, ruleset_id });
    const received = await p.deliveries();
    expect(received.map(({ payload }) => payload.action)).toEqual(['created', 'edited', 'deleted']);
    expect(received[1]?.payload).toMatchObject({
      repository_ruleset: { id: ruleset_id, name: 'Trunk', rules: [REVIEWED] },
      changes: { name: { from: 'Main' }, rules: { added: [], updated: [] } },
    });
  });
});

describe('rulesets by GraphQL', () => {
  test('show their rules with parameters', async () => {
    await create();
    const query = `query { repository(owner: "ada", name: "sandbox") { rulesets(first: 5) { nodes {
      name enforcement target conditions { refName { include exclude } }
      rules(first: 9) { nodes { type parameters { __typename
        ... on PullRequestParameters { requiredApprovingReviewCount }
        ... on RequiredStatusChecksParameters { requiredStatusChecks { context integrationId } }
        ... on MergeQueueParameters { mergeMethod maxEntriesToMerge } } } }
    } } } }`;
    expect(await (await p.graphql('rita'))(query)).toEqual({
      repository: {
        rulesets: {
          nodes: [
            {
              name: 'Main',
              enforcement: 'ACTIVE',
              target: 'BRANCH',
              conditions: { refName: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
              rules: {
                nodes: [
                  { type: 'DELETION', parameters: null },
                  { type: 'NON_FAST_FORWARD', parameters: null },
                  { type: 'UPDATE', parameters: { __typename: 'UpdateParameters' } },
                  { type: 'REQUIRED_LINEAR_HISTORY', parameters: null },
                  {
                    type: 'MERGE_QUEUE',
                    parameters: { __typename: 'MergeQueueParameters', mergeMethod: 'SQUASH', maxEntriesToMerge: 3 },
                  },
                  {
                    type: 'PULL_REQUEST',
                    parameters: { __typename: 'PullRequestParameters', requiredApprovingReviewCount: 1 },
                  },
                  {
                    type: 'REQUIRED_STATUS_CHECKS',
                    parameters: {
                      __typename: 'RequiredStatusChecksParameters',
                      requiredStatusChecks: [
                        { context: 'build', integrationId: null },
                        { context: 'lint', integrationId: 42 },
                      ],
                    },
                  },
                ],
              },
            },
          ],
        },
      },
    });
  });
});

describe('what Pocket does not enforce', () => {
  test('is not accepted in silence', async () => {
    const shared = p;
    p = await openPocket();
    const refused = [
      { rules: [{ type: 'creation' }] },
      { rules: [{ ...REVIEWED, parameters: { ...REVIEWED.parameters, require_code_owner_review: true } }] },
      { rules: [{ ...QUEUED, parameters: { ...QUEUED.parameters, min_entries_to_merge: 2 } }] },
      { rules: [{ ...CHECKED, parameters: { ...CHECKED.parameters, surprise: true } }] },
      { bypass_actors: [{ actor_id: 1, actor_type: 'Team', bypass_mode: 'always' }] },
      { enforcement: 'evaluate' },
    ];
    for (const more of refused) expect((await refusalOf(create(more))).status).toBe(501);
    await p.close({ unmodelledIsFine: true });
    p = shared;
  });
});
