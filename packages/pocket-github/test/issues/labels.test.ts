import { describe, expect, test } from '@jest/globals';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((opened) => {
  p = opened;
});

async function label(name: string, more: { color?: string; description?: string } = {}) {
  return (await p.rest('wren').rest.issues.createLabel({ ...p.at, name, ...more })).data;
}

async function issue(labels: string[] = []) {
  const { data } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'One', labels });
  return { at: { ...p.at, issue_number: data.number }, id: data.node_id };
}

async function ask<T>(who: Person, document: string, variables: Record<string, unknown> = {}): Promise<T> {
  return (await p.graphql(who))<T>(document, variables);
}

describe('labels of a repository', () => {
  test('are made, read, renamed and deleted', async () => {
    expect(await label('bug', { color: 'D73A4A', description: 'Something is wrong' })).toMatchObject({
      name: 'bug',
      color: 'd73a4a',
      description: 'Something is wrong',
      default: false,
      url: `${p.pocket.urls.api}/repos/ada/sandbox/labels/bug`,
    });
    expect((await p.rest('rita').rest.issues.getLabel({ ...p.at, name: 'BUG' })).data.name).toBe('bug');
    const { data } = await p.rest('wren').rest.issues.updateLabel({ ...p.at, name: 'bug', new_name: 'size/L' });
    expect(data).toMatchObject({ name: 'size/L', color: 'd73a4a', description: 'Something is wrong' });
    expect((await p.rest('wren').rest.issues.deleteLabel({ ...p.at, name: 'size/L' })).status).toBe(204);
    expect((await p.rest('rita').rest.issues.listLabelsForRepo(p.at)).data).toEqual([]);
    expect((await p.deliveries()).map(({ payload }) => payload)).toMatchObject([
      { action: 'created', label: { name: 'bug' } },
      { action: 'edited', label: { name: 'size/L' }, changes: { name: { from: 'bug' } } },
      { action: 'deleted', label: { name: 'size/L', color: 'd73a4a' } },
    ]);
  });

  test('an edit that changes nothing is told to nobody', async () => {
    await label('bug', { color: 'd73a4a' });
    await p.rest('wren').rest.issues.updateLabel({ ...p.at, name: 'bug', color: 'D73A4A' });
    expect((await p.deliveries()).map(({ payload }) => payload.action)).toEqual(['created']);
  });

  test.each([
    ['a name that exists in other case', { name: 'BUG' }, { code: 'already_exists', field: 'name' }],
    ['a blank name', { name: ' ' }, { code: 'missing_field', field: 'name' }],
    ['a colour with #', { name: 'new', color: '#ffffff' }, { code: 'invalid', field: 'color' }],
    [
      'a name of 51 characters',
      { name: 'x'.repeat(51) },
      { code: 'custom', field: 'name', message: 'name is too long (maximum is 50 characters)' },
    ],
    [
      'a description of 101 characters',
      { name: 'new', description: 'x'.repeat(101) },
      { code: 'custom', field: 'description', message: 'description is too long (maximum is 100 characters)' },
    ],
  ])('%s is refused', async (_, given, error) => {
    await label('bug');
    expect(await refusalOf(p.rest('wren').rest.issues.createLabel({ ...p.at, ...given }))).toEqual({
      status: 422,
      message: 'Validation Failed',
      errors: [{ resource: 'Label', ...error }],
    });
  });

  test('making them takes write access, putting them on takes triage', async () => {
    const { at } = await issue();
    await label('bug');
    expect((await refusalOf(p.rest('tess').rest.issues.createLabel({ ...p.at, name: 'new' }))).status).toBe(403);
    expect((await p.rest('tess').rest.issues.addLabels({ ...at, labels: ['bug'] })).status).toBe(200);
    expect((await refusalOf(p.rest('tess').rest.issues.addLabels({ ...at, labels: ['unheard-of'] }))).status).toBe(403);
    expect((await refusalOf(p.rest('rita').rest.issues.addLabels({ ...at, labels: ['bug'] }))).status).toBe(403);
  });

  test('a deleted label leaves its issues without an event each', async () => {
    const { at } = await issue(['bug']);
    await p.rest('wren').rest.issues.deleteLabel({ ...p.at, name: 'bug' });
    expect((await p.rest('rita').rest.issues.get(at)).data.labels).toEqual([]);
    expect((await p.deliveries()).filter(({ payload }) => payload.action === 'unlabeled')).toEqual([]);
  });
});

describe('labels of an issue', () => {
  test('are added, replaced and removed', async () => {
    const { at } = await issue();
    const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);
    expect(names(await p.rest('wren').rest.issues.addLabels({ ...at, labels: ['bug', 'ui'] }))).toEqual(['bug', 'ui']);
    expect(names(await p.rest('wren').rest.issues.addLabels({ ...at, labels: ['ui', 'new'] }))).toEqual([
      'bug',
      'ui',
      'new',
    ]);
    expect(names(await p.rest('wren').rest.issues.removeLabel({ ...at, name: 'ui' }))).toEqual(['bug', 'new']);
    expect(await refusalOf(p.rest('wren').rest.issues.removeLabel({ ...at, name: 'ui' }))).toMatchObject({
      status: 404,
      message: 'Label does not exist',
    });
    expect(names(await p.rest('wren').rest.issues.setLabels({ ...at, labels: ['only'] }))).toEqual(['only']);
    expect((await p.rest('wren').rest.issues.removeAllLabels(at)).status).toBe(204);
    expect(names(await p.rest('rita').rest.issues.listLabelsOnIssue(at))).toEqual([]);
  });

  test('a bare list is understood too', async () => {
    const { at } = await issue();
    const response = await fetch(`${p.pocket.urls.api}/repos/ada/sandbox/issues/${at.issue_number}/labels`, {
      method: 'POST',
      headers: { authorization: `token ${p.tokenOf('wren')}`, 'content-type': 'application/json' },
      body: JSON.stringify(['bug']),
    });
    expect(await response.json()).toMatchObject([{ name: 'bug' }]);
  });

  test('by GraphQL: added, ordered, cleared; another repository’s are unknown', async () => {
    const { id } = await issue();
    const [zeta, alpha] = [await label('zeta'), await label('alpha')];
    const add = `mutation($id: ID!, $labels: [ID!]!) {
      addLabelsToLabelable(input: { labelableId: $id, labelIds: $labels }) { labelable {
        byAge: labels(first: 5) { nodes { name } }
        byName: labels(first: 5, orderBy: { field: NAME, direction: ASC }) { nodes { name } }
      } }
      removeLabelsFromLabelable(input: { labelableId: $id, labelIds: $labels }) { labelable { labels(first: 5) { totalCount } } }
    }`;
    expect(await ask('tess', add, { id, labels: [alpha.node_id, zeta.node_id] })).toEqual({
      addLabelsToLabelable: {
        labelable: {
          byAge: { nodes: [{ name: 'zeta' }, { name: 'alpha' }] },
          byName: { nodes: [{ name: 'alpha' }, { name: 'zeta' }] },
        },
      },
      removeLabelsFromLabelable: { labelable: { labels: { totalCount: 0 } } },
    });
    p.pocket.world.tables.labels.update({ ...p.pocket.world.tables.labels.must(zeta.id) }, { repositoryId: 0 });
    expect(await errorsOf(ask('tess', add, { id, labels: [zeta.node_id] }))).toContainEqual(
      expect.stringMatching(/^NOT_FOUND: /),
    );
  });
});
