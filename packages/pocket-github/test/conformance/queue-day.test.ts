import { expect, test } from '@jest/globals';
import { pushTo } from '../support/branches.js';
import { openPocket } from '../support/test-pocket.js';

/* A branch with rules and a merge queue, set up and used as a team would: rulesets by REST, the queue by GraphQL, CI for real. */

test('a ruleset keeps people out, the merge queue lets tested work in', async () => {
  const p = await openPocket();
  const ada = p.rest('ada').rest;
  const wren = p.rest('wren').rest;
  p.pocket.world.tables.repositories.update(p.repository, {
    ci: [{ name: 'test', run: 'sh test.sh', timeoutMs: 60_000 }],
  });
  await ada.repos.createRepoRuleset({
    ...p.at,
    name: 'main is tested',
    target: 'branch',
    enforcement: 'active',
    conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
    rules: [
      {
        type: 'required_status_checks',
        parameters: { strict_required_status_checks_policy: false, required_status_checks: [{ context: 'test' }] },
      },
      {
        type: 'merge_queue',
        parameters: {
          check_response_timeout_minutes: 60,
          grouping_strategy: 'ALLGREEN',
          max_entries_to_build: 100,
          max_entries_to_merge: 5,
          merge_method: 'SQUASH',
          min_entries_to_merge: 1,
          min_entries_to_merge_wait_minutes: 0,
        },
      },
    ],
  });
  const { data: rules } = await wren.repos.getBranchRules({ ...p.at, branch: 'main' });
  expect(rules.map((rule) => rule.type).sort((a, b) => a.localeCompare(b))).toEqual([
    'merge_queue',
    'required_status_checks',
  ]);

  const head = await pushTo(p, 'topic', { files: { 'topic.txt': 'topic\n' } });
  const { data: pull } = await wren.pulls.create({ ...p.at, title: 'Topic', head: 'topic', base: 'main' });
  await p.pocket.settle();
  const { data: runs } = await wren.checks.listForRef({ ...p.at, ref: head });
  expect(runs.check_runs).toMatchObject([{ name: 'test', status: 'completed', conclusion: 'success' }]);
  await expect(wren.pulls.merge({ ...p.at, pull_number: pull.number })).rejects.toMatchObject({ status: 405 });

  const graphql = await p.graphql('wren');
  await graphql(
    'mutation ($id: ID!, $head: GitObjectID!) { enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $head }) { mergeQueueEntry { state } } }',
    {
      id: pull.node_id,
      head,
    },
  );
  await p.pocket.settle();
  const { data: merged } = await wren.pulls.get({ ...p.at, pull_number: pull.number });
  expect(merged).toMatchObject({ merged: true, state: 'closed' });
  const told = (await p.deliveries()).map(({ event, payload }) => `${event}.${payload.action ?? ''}`);
  expect(told).toEqual(
    expect.arrayContaining([
      'pull_request.enqueued',
      'merge_group.checks_requested',
      'merge_group.destroyed',
      'pull_request.closed',
    ]),
  );
  await p.close();
});
