import { describe, expect, test } from '@jest/globals';
import { seedCollaborator, seedRepository } from '#pocket-github/testing';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* What people are told who ask, or who asked for something that cannot be done. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const lastOf = (texts: readonly string[]): string => texts.at(-1) ?? '';

describe('/auto status and /auto explain', () => {
  test.each(['status', 'explain'])('%s of an issue nobody asked for says so, and how to start it', async (command) => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await harness.say('tess', number, `/auto ${command}`);
    expect(lastOf(await harness.said(number))).toContain(
      `Nobody has asked Sluice to work on #${number}. \`/auto\` starts it.`,
    );
  });

  test('of a finished issue say that it is done; status also what it cost', async () => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    await harness.finish();
    await harness.say('wren', number, '/auto explain');
    expect(lastOf(await harness.said(number))).toContain(`#${number} is done: its work has landed and was verified.`);
    await harness.say('wren', number, '/auto status');
    expect(lastOf(await harness.said(number))).toMatch(/Done: landed and verified.*agent runs.*\$/s);
  });

  test('of an issue that waits for the open pull requests of others agree with its status comment', async () => {
    const harness = await atWork({ size: 'M', policy: { maxOpenPulls: 0 } });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    const status = (await harness.said(number)).find((body) => body.includes('sluice:status'));
    expect(status).toContain('### Waiting for an open pull request to be merged or closed');
    expect(status).not.toContain('Working');
    await harness.say('wren', number, '/auto status');
    expect(lastOf(await harness.said(number))).toContain('Waiting for an open pull request to be merged or closed');
    await harness.say('wren', number, '/auto explain');
    expect(lastOf(await harness.said(number))).toMatch(
      /is at `code`. Sluice’s next step is to wait, .* because 0 pull/,
    );
  });
});

test('/auto --dry-run lists route, phases and limits, before a run and while one is going', async () => {
  const harness = await atWork({ size: 'M', policy: { maxOpenPulls: 0 } });
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto --dry-run');
  expect(lastOf(await harness.said(number))).toMatch(/would do with #\d+:.*Phases: `issue` → .*Limits: 20 agent runs/s);
  await harness.say('wren', number, '/auto');
  await harness.say('wren', number, '/auto --dry-run');
  const answer = lastOf(await harness.said(number));
  expect(answer).toContain(`A run of #${number} is going already`);
  expect(answer).toMatch(/Size M, route pr.*Phases: `code` → `review` → `merge` → `verify`\n.*Limits: 20 agent runs/s);
});

describe('a command that cannot be carried out as things are', () => {
  test('in a repository without a commit is answered with what to do', async () => {
    const harness = await atWork();
    const empty = await seedRepository(p.pocket.world, { owner: p.users.ada, name: 'empty' });
    seedCollaborator(p.pocket.world, empty, p.users.wren, 'write');
    const at = { owner: 'ada', repo: 'empty' };
    const { data } = await p.rest('wren').rest.issues.create({ ...at, title: 'Begin', body: 'Anything.' });
    await p.rest('wren').rest.issues.createComment({ ...at, issue_number: data.number, body: '/auto' });
    await harness.settle();
    const { data: comments } = await p.rest('ada').rest.issues.listComments({ ...at, issue_number: data.number });
    expect(comments.map(({ body }) => body)).toEqual([
      '/auto',
      expect.stringContaining('ada/empty has no commit yet, so there is nothing to work from. Push one,'),
    ]);
    const comment_id = comments[0]?.id ?? 0;
    const { data: reactions } = await p.rest('ada').rest.reactions.listForIssueComment({ ...at, comment_id });
    expect(reactions.map(({ content }) => content)).toEqual(['eyes', 'confused']);
  });

  test('because GitHub refuses the state ref is answered once', async () => {
    const refuse = {
      kind: 'refused',
      ref: 'refs/sluice/issue-1',
      why: 'a ruleset forbids it',
      isPassing: false,
    } as const;
    const harness = await atWork({
      engine: (usual) => ({ ...usual, states: { ...usual.states, swap: async () => refuse } }),
    });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    expect(await harness.said(number)).toEqual([expect.stringContaining('a ruleset forbids it')]);
    expect(lastOf(await harness.said(number))).toContain('GitHub does not let Sluice do it');
  });
});
