import { describe, expect, test } from '@jest/globals';
import { createRun } from '../../src/resources/checks/runs.js';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';
import { compareWithExamples } from '../support/webhook-shape.js';

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const OFF = {
  required_status_checks: null,
  enforce_admins: null,
  required_pull_request_reviews: null,
  restrictions: null,
};
const at = () => ({ ...p.at, branch: 'main' });
const protect = (more: Record<string, unknown> = {}, who: Person | 'app' = 'ada') =>
  p.rest(who).rest.repos.updateBranchProtection({ ...at(), ...OFF, ...more });
const read = (who: Person | 'app' = 'ada') => p.rest(who).rest.repos.getBranchProtection(at());

describe('branch protection by REST', () => {
  test('is not there until somebody sets it', async () => {
    expect(await refusalOf(read())).toEqual({ status: 404, message: 'Branch not protected' });
    const elsewhere = p.rest('ada').rest.repos.getBranchProtection({ ...p.at, branch: 'nowhere' });
    expect(await refusalOf(elsewhere)).toEqual({ status: 404, message: 'Branch not found' });
  });

  test('reads back as it was set', async () => {
    const { data } = await protect({
      required_status_checks: { strict: true, contexts: ['build'] },
      enforce_admins: true,
      required_pull_request_reviews: { required_approving_review_count: 2, dismiss_stale_reviews: true },
      required_linear_history: true,
      required_conversation_resolution: true,
      allow_deletions: true,
    });
    expect(data).toMatchObject({
      required_status_checks: { strict: true, contexts: ['build'], checks: [{ context: 'build', app_id: null }] },
      enforce_admins: { enabled: true },
      required_pull_request_reviews: {
        required_approving_review_count: 2,
        dismiss_stale_reviews: true,
        require_code_owner_reviews: false,
      },
      required_linear_history: { enabled: true },
      required_conversation_resolution: { enabled: true },
      allow_force_pushes: { enabled: false },
      allow_deletions: { enabled: true },
      lock_branch: { enabled: false },
    });
    expect((await read()).data).toEqual(data);
    expect(data.restrictions).toBeUndefined();
  });

  test('leaves out what is off, and goes away as a whole', async () => {
    const { data } = await protect();
    expect(data.required_status_checks).toBeUndefined();
    expect(data.required_pull_request_reviews).toBeUndefined();
    await p.rest('ada').rest.repos.deleteBranchProtection(at());
    expect(await refusalOf(read())).toEqual({ status: 404, message: 'Branch not protected' });
  });

  test('is for administrators: others neither change nor see it', async () => {
    await protect();
    expect(await refusalOf(read('wren'))).toEqual({ status: 404, message: 'Not Found' });
    expect(await refusalOf(protect({}, 'wren'))).toMatchObject({ status: 403 });
    p.pocket.world.tables.installations.update(p.installation, { permissions: { contents: 'write' } });
    expect(await refusalOf(read('app'))).toEqual({ status: 403, message: 'Resource not accessible by integration' });
  });

  test('must be given whole', async () => {
    const { required_status_checks: _, ...partial } = OFF;
    const request = p.rest('ada').request('PUT /repos/{owner}/{repo}/branches/{branch}/protection', {
      ...at(),
      ...(partial as typeof OFF),
    });
    expect((await refusalOf(request)).status).toBe(422);
  });

  test('expects a check from the App that last provided it, or from any if told so', async () => {
    const actor = { userId: p.app.botId, viaAppId: p.app.id };
    await createRun(p.pocket.world, actor, p.repository, p.app, { name: 'build', headOid: tipOf(p, 'main') });
    const byName = await protect({ required_status_checks: { strict: false, contexts: ['build', 'other'] } });
    expect(byName.data.required_status_checks?.checks).toEqual([
      { context: 'build', app_id: p.app.id },
      { context: 'other', app_id: null },
    ]);
    const anyApp = await protect({
      required_status_checks: { strict: false, checks: [{ context: 'build', app_id: -1 }] },
    });
    expect(anyApp.data.required_status_checks?.checks).toEqual([{ context: 'build', app_id: null }]);
  });

  test('has required checks and the administrators as parts of their own', async () => {
    const { repos } = p.rest('ada').rest;
    await protect();
    expect(await refusalOf(repos.getStatusChecksProtection(at()))).toEqual({
      status: 404,
      message: 'Required status checks not enabled',
    });
    await protect({ required_status_checks: { strict: false, contexts: ['a'] } });
    const { data } = await repos.updateStatusCheckProtection({ ...at(), strict: true, contexts: ['a', 'b'] });
    expect(data).toMatchObject({ strict: true, contexts: ['a', 'b'] });
    expect((await repos.getStatusChecksProtection(at())).data).toEqual(data);
    expect((await repos.setAdminBranchProtection(at())).data).toMatchObject({ enabled: true });
    expect((await repos.getAdminBranchProtection(at())).data).toMatchObject({ enabled: true });
    await repos.deleteAdminBranchProtection(at());
    expect((await repos.getAdminBranchProtection(at())).data).toMatchObject({ enabled: false });
  });

  test('tells everybody that a rule was made, changed (and how) and deleted, in the shape GitHub sends', async () => {
    await protect();
    await protect({ required_status_checks: { strict: false, contexts: ['build'] }, enforce_admins: true });
    await p.rest('ada').rest.repos.deleteBranchProtection(at());
    const received = await p.deliveries();
    expect(received.map(({ event, payload }) => `${event} ${payload.action}`)).toEqual([
      'branch_protection_rule created',
      'branch_protection_rule edited',
      'branch_protection_rule deleted',
    ]);
    expect(received[1]?.payload).toMatchObject({
      rule: { name: 'main', admin_enforced: true, required_status_checks_enforcement_level: 'everyone' },
      changes: {
        admin_enforced: { from: false },
        required_status_checks: { from: [] },
        required_status_checks_enforcement_level: { from: 'off' },
      },
    });
    for (const delivery of received) expect(compareWithExamples(delivery).missing).toEqual([]);
  });
});

describe('branch protection by GraphQL', () => {
  const QUERY = `query { repository(owner: "ada", name: "sandbox") {
    branchProtectionRules(first: 5) { nodes { pattern isAdminEnforced requiresStatusChecks requiredStatusChecks { context app { slug } } } }
    ref(qualifiedName: "refs/heads/main") {
      branchProtectionRule { pattern requiresApprovingReviews requiredApprovingReviewCount matchingRefs(first: 5) { nodes { name } } }
      refUpdateRule { pattern requiredApprovingReviewCount requiredStatusCheckContexts requiresLinearHistory allowsForcePushes
        allowsDeletions requiresConversationResolution viewerCanPush viewerAllowedToDismissReviews }
    } } }`;
  interface Shown {
    repository: {
      branchProtectionRules: { nodes: unknown[] };
      ref: { branchProtectionRule: unknown; refUpdateRule: unknown };
    };
  }
  const ask = async (who: Person | 'app') => (await (await p.graphql(who))<Shown>(QUERY)).repository;

  test('of an unprotected branch is null', async () => {
    expect((await ask('ada')).ref).toEqual({ branchProtectionRule: null, refUpdateRule: null });
  });

  test('shows administrators everything and everybody what concerns them', async () => {
    protectMain(p, {
      requirePullRequest: true,
      requiredApprovals: 1,
      requiredChecks: [{ context: 'build', appId: p.app.id }],
      requireLinearHistory: true,
      blockForcePushes: true,
      restrictUpdates: true,
    });
    const shown = {
      pattern: 'main',
      requiredApprovingReviewCount: 1,
      requiredStatusCheckContexts: ['build'],
      requiresLinearHistory: true,
      allowsForcePushes: false,
      allowsDeletions: true,
      requiresConversationResolution: false,
      viewerCanPush: false,
    };
    expect(await ask('ada')).toEqual({
      branchProtectionRules: {
        nodes: [
          {
            pattern: 'main',
            isAdminEnforced: true,
            requiresStatusChecks: true,
            requiredStatusChecks: [{ context: 'build', app: { slug: 'sluice-dev' } }],
          },
        ],
      },
      ref: {
        branchProtectionRule: {
          pattern: 'main',
          requiresApprovingReviews: true,
          requiredApprovingReviewCount: 1,
          matchingRefs: { nodes: [{ name: 'main' }] },
        },
        refUpdateRule: { ...shown, viewerAllowedToDismissReviews: true },
      },
    });
    expect(await ask('rita')).toEqual({
      branchProtectionRules: { nodes: [] },
      ref: { branchProtectionRule: null, refUpdateRule: { ...shown, viewerAllowedToDismissReviews: false } },
    });
  });

  test('says who can push', async () => {
    protectMain(p, { restrictUpdates: true }, { enforceAdmins: false });
    const canPush = async (who: Person) => (await ask(who)).ref.refUpdateRule;
    expect(await canPush('ada')).toMatchObject({ viewerCanPush: true });
    expect(await canPush('wren')).toMatchObject({ viewerCanPush: false });
  });

  test('refuses an App that may not administer', async () => {
    p.pocket.world.tables.installations.update(p.installation, { permissions: { contents: 'read' } });
    expect(await errorsOf(ask('app'))).toContain('FORBIDDEN: Resource not accessible by integration');
  });

  test('by pattern protects what it matches, and a rule by name goes first', async () => {
    const { world } = p.pocket;
    await pushTo(p, 'release/1.0', { files: { 'a.txt': 'a\n' } });
    await pushTo(p, 'release/x/fix', { files: { 'b.txt': 'b\n' } });
    protectMain(p, {});
    const [row] = world.tables.protections.all();
    if (row === undefined) throw new Error('no protection');
    world.tables.protections.update(row, { pattern: 'release/*' });
    const pattern = async (branch: string) =>
      (await (await p.graphql('ada'))<Shown>(QUERY.replace('refs/heads/main', `refs/heads/${branch}`))).repository.ref
        .refUpdateRule;
    expect(await pattern('release/1.0')).toMatchObject({ pattern: 'release/*' });
    expect(await pattern('release/x/fix')).toBeNull();
    expect(await pattern('main')).toBeNull();
    world.tables.protections.insert({ ...row, id: world.newId(), pattern: 'release/1.0' });
    expect(await pattern('release/1.0')).toMatchObject({ pattern: 'release/1.0' });
  });
});
