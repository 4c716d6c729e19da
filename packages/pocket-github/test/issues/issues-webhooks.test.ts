import { describe, expect, test } from '@jest/globals';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';

let p: TestPocket;
freshPocketEachTest((opened) => {
  p = opened;
});

/** What was told so far, as `event.action`. */
async function told(): Promise<string[]> {
  return (await p.deliveries()).map(({ event, payload }) => `${event}.${payload.action}`);
}

async function last(): Promise<Record<string, unknown>> {
  return (await p.deliveries()).at(-1)?.payload ?? {};
}

async function open(more: { labels?: string[]; assignees?: string[]; body?: string } = {}) {
  await p.rest('wren').rest.issues.create({ ...p.at, title: 'One', ...more });
  return { ...p.at, issue_number: 1 };
}

describe('webhooks of issues', () => {
  test('what an issue is born with is in `opened` and told again one by one', async () => {
    await p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'bug' });
    await open({ labels: ['bug'], assignees: ['tess'] });
    expect(await told()).toEqual(['label.created', 'issues.opened', 'issues.labeled', 'issues.assigned']);
    const [, opened] = await p.deliveries();
    expect(opened?.payload).toMatchObject({
      action: 'opened',
      issue: { number: 1, title: 'One', labels: [{ name: 'bug' }], assignees: [{ login: 'tess' }], state: 'open' },
      repository: { full_name: 'ada/sandbox' },
      sender: { login: 'wren' },
      installation: { id: p.installation.id },
    });
    expect(opened?.payload['issue']).not.toHaveProperty('closed_by');
    expect(opened?.payload).not.toHaveProperty('changes');
  });

  test('an edit says what the texts were', async () => {
    const at = await open({ body: 'Before' });
    await p.rest('wren').rest.issues.update({ ...at, title: 'Two', body: 'After' });
    expect(await last()).toMatchObject({
      action: 'edited',
      issue: { title: 'Two', body: 'After' },
      changes: { title: { from: 'One' }, body: { from: 'Before' } },
    });
    await p.rest('wren').rest.issues.update({ ...at, title: 'Two' });
    expect(await told()).toEqual(['issues.opened', 'issues.edited']);
  });

  test('closing and reopening show the state they led to', async () => {
    const at = await open();
    await p.rest('tess').rest.issues.update({ ...at, state: 'closed', state_reason: 'not_planned' });
    expect(await last()).toMatchObject({ action: 'closed', issue: { state: 'closed', state_reason: 'not_planned' } });
    await p.rest('tess').rest.issues.update({ ...at, state: 'open' });
    expect(await last()).toMatchObject({ action: 'reopened', issue: { state: 'open', state_reason: 'reopened' } });
  });

  test('replacing labels takes off and puts on', async () => {
    const at = await open({ labels: ['old', 'kept'] });
    const before = (await p.deliveries()).length;
    await p.rest('wren').rest.issues.setLabels({ ...at, labels: ['kept', 'new'] });
    const all = (await p.deliveries()).slice(before);
    expect(all.map(({ event, payload }) => [`${event}.${payload.action}`, payload['label']])).toMatchObject([
      ['label.created', { name: 'new' }],
      ['issues.unlabeled', { name: 'old' }],
      ['issues.labeled', { name: 'new' }],
    ]);
    expect(all[1]?.payload['issue']).toMatchObject({ labels: [{ name: 'kept' }] });
  });

  test('assignees, milestones and locks', async () => {
    const at = await open();
    await p.rest('wren').rest.issues.createMilestone({ ...p.at, title: 'v1' });
    await p.rest('wren').rest.issues.addAssignees({ ...at, assignees: ['tess'] });
    expect(await last()).toMatchObject({ action: 'assigned', assignee: { login: 'tess' } });
    await p.rest('wren').rest.issues.removeAssignees({ ...at, assignees: ['tess'] });
    expect(await last()).toMatchObject({ action: 'unassigned', assignee: { login: 'tess' }, issue: { assignees: [] } });
    await p.rest('wren').rest.issues.update({ ...at, milestone: 1 });
    expect(await last()).toMatchObject({ action: 'milestoned', milestone: { title: 'v1', open_issues: 1 } });
    await p.rest('wren').rest.issues.update({ ...at, milestone: null });
    expect(await last()).toMatchObject({
      action: 'demilestoned',
      milestone: { title: 'v1' },
      issue: { milestone: null },
    });
    await p.rest('wren').rest.issues.lock({ ...at, lock_reason: 'spam' });
    expect(await last()).toMatchObject({ action: 'locked', issue: { locked: true, active_lock_reason: 'spam' } });
    await p.rest('wren').rest.issues.unlock(at);
    expect(await last()).toMatchObject({ action: 'unlocked', issue: { locked: false, active_lock_reason: null } });
  });

  test('what changes nothing tells nobody', async () => {
    const at = await open({ labels: ['bug'], assignees: ['tess'], body: 'Text' });
    const before = await told();
    await p
      .rest('wren')
      .rest.issues.update({ ...at, body: 'Text', labels: ['bug'], assignees: ['tess'], state: 'open' });
    await p.rest('wren').rest.issues.addLabels({ ...at, labels: ['bug'] });
    await p.rest('wren').rest.issues.unlock(at);
    expect(await told()).toEqual(before);
  });
});
