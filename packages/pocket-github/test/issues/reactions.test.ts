import { describe, expect, test } from '@jest/globals';
import { isoTime } from '../../src/world/time.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((opened) => {
  p = opened;
});

async function issue() {
  const { data } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'One' });
  return { at: { ...p.at, issue_number: 1 }, id: data.node_id };
}

async function ask<T>(who: Person, document: string, variables: Record<string, unknown> = {}): Promise<T> {
  return (await p.graphql(who))<T>(document, variables);
}

describe('reactions by REST', () => {
  test('a new one is 201, the same again 200, and both are one', async () => {
    const { at } = await issue();
    const first = await p.rest('rita').rest.reactions.createForIssue({ ...at, content: '+1' });
    const again = await p.rest('rita').rest.reactions.createForIssue({ ...at, content: '+1' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(first.data).toMatchObject({ content: '+1', user: { login: 'rita' }, created_at: isoTime(p.clock.now()) });
    expect(again.data.id).toBe(first.data.id);
    expect((await p.rest('rita').rest.issues.get(at)).data.reactions).toMatchObject({ total_count: 1, '+1': 1 });
  });

  test('on comments they are listed, filtered and taken back', async () => {
    const { at } = await issue();
    const { data: comment } = await p.rest('wren').rest.issues.createComment({ ...at, body: 'Hm' });
    const on = { ...p.at, comment_id: comment.id };
    await p.rest('rita').rest.reactions.createForIssueComment({ ...on, content: 'eyes' });
    const { data: rocket } = await p.rest('app').rest.reactions.createForIssueComment({ ...on, content: 'rocket' });
    const list = async (query: { content?: 'eyes' | 'rocket' }) =>
      (await p.rest('rita').rest.reactions.listForIssueComment({ ...on, ...query })).data.map(
        ({ content, user }) => `${user?.login} ${content}`,
      );
    expect(await list({})).toEqual(['rita eyes', 'sluice-dev[bot] rocket']);
    expect(await list({ content: 'rocket' })).toEqual(['sluice-dev[bot] rocket']);
    const mine = { ...on, reaction_id: rocket.id };
    expect((await refusalOf(p.rest('rita').rest.reactions.deleteForIssueComment(mine))).status).toBe(403);
    expect((await p.rest('app').rest.reactions.deleteForIssueComment(mine)).status).toBe(204);
    expect(await list({})).toEqual(['rita eyes']);
  });

  test('neither move the issue’s time nor are told', async () => {
    const { at } = await issue();
    const before = (await p.rest('rita').rest.issues.get(at)).data.updated_at;
    p.clock.advance(60_000);
    await p.rest('rita').rest.reactions.createForIssue({ ...at, content: 'heart' });
    expect((await p.rest('rita').rest.issues.get(at)).data.updated_at).toBe(before);
    expect((await p.deliveries()).map(({ payload }) => payload.action)).toEqual(['opened']);
  });

  test('go with the comment they are on', async () => {
    const { at } = await issue();
    const { data: comment } = await p.rest('wren').rest.issues.createComment({ ...at, body: 'Hm' });
    await p.rest('rita').rest.reactions.createForIssueComment({ ...p.at, comment_id: comment.id, content: 'eyes' });
    await p.rest('wren').rest.issues.deleteComment({ ...p.at, comment_id: comment.id });
    expect(p.pocket.world.tables.reactions.all()).toEqual([]);
  });

  test('a locked conversation takes none, not even from those who may write', async () => {
    const { at, id } = await issue();
    await p.rest('wren').rest.issues.lock(at);
    expect((await refusalOf(p.rest('wren').rest.reactions.createForIssue({ ...at, content: '+1' }))).status).toBe(403);
    const document = 'mutation($id: ID!) { addReaction(input: { subjectId: $id, content: EYES }) { reaction { id } } }';
    expect(await errorsOf(ask('wren', document, { id }))).toEqual([
      'FORBIDDEN: wren does not have the correct permissions to execute `AddReaction`',
    ]);
  });

  test('only GitHub’s eight exist', async () => {
    const { at } = await issue();
    const odd = p.rest('rita').request('POST /repos/{owner}/{repo}/issues/{issue_number}/reactions', {
      ...at,
      content: 'shrug' as '+1',
    });
    expect((await refusalOf(odd)).status).toBe(422);
  });
});

describe('reactions by GraphQL', () => {
  test('are added once, grouped, and removed', async () => {
    const { id } = await issue();
    const groups =
      'reactionGroups { content viewerHasReacted reactors(first: 3) { totalCount nodes { ... on User { login } } } }';
    const add = `mutation($id: ID!) {
      one: addReaction(input: { subjectId: $id, content: ROCKET }) { reaction { id content user { login } } }
      two: addReaction(input: { subjectId: $id, content: ROCKET }) { reaction { id } subject { id } ${groups} }
    }`;
    const added = await ask<Record<'one' | 'two', { reaction: { id: string }; reactionGroups: unknown[] }>>(
      'rita',
      add,
      { id },
    );
    expect(added.one.reaction).toMatchObject({ content: 'ROCKET', user: { login: 'rita' } });
    expect(added.two.reaction.id).toBe(added.one.reaction.id);
    expect(added.two.reactionGroups).toHaveLength(8);
    expect(added.two.reactionGroups).toContainEqual({
      content: 'ROCKET',
      viewerHasReacted: true,
      reactors: { totalCount: 1, nodes: [{ login: 'rita' }] },
    });
    expect(added.two.reactionGroups).toContainEqual({
      content: 'EYES',
      viewerHasReacted: false,
      reactors: { totalCount: 0, nodes: [] },
    });
    const read = `query($id: ID!) { node(id: $id) { ... on Issue {
      all: reactions(first: 5) { totalCount viewerHasReacted nodes { content } } eyes: reactions(first: 5, content: EYES) { totalCount }
    } } }`;
    expect(await ask('wren', read, { id })).toEqual({
      node: {
        all: { totalCount: 1, viewerHasReacted: false, nodes: [{ content: 'ROCKET' }] },
        eyes: { totalCount: 0 },
      },
    });
    const remove = `mutation($id: ID!) {
      removeReaction(input: { subjectId: $id, content: ROCKET }) { reaction { content } subject { reactions(first: 1) { totalCount } } }
    }`;
    expect(await ask('rita', remove, { id })).toEqual({
      removeReaction: { reaction: { content: 'ROCKET' }, subject: { reactions: { totalCount: 0 } } },
    });
  });
});
