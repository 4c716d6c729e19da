import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from '@jest/globals';
import type { Refusal } from '../../src/domain/words/refusals.js';
import { giveUp } from '../../src/usecases/handle-event.js';
import { authorisedText } from '../../src/usecases/issue-text.js';
import type { Desk, DeskOptions } from '../support/desk.js';
import { deskEachTest } from '../support/desk-each-test.js';
import { heldAt } from '../support/held-agent.js';
import type { TestPocket } from '../support/pocket.js';
import { until } from '../support/until.js';

/* A command that is refused says why and what would work. Here each is refused, and then what it says is done. */

let p: TestPocket;
const open = deskEachTest((pocket) => {
  p = pocket;
});
const world = { isServed: true, isThrottled: false };
beforeEach(() => {
  world.isServed = true;
  world.isThrottled = false;
});

interface Way {
  readonly options?: DeskOptions;
  /** Has it refused. */
  readonly ask: (desk: Desk) => Promise<unknown>;
  readonly says: string;
  /** Does what the answer says. */
  readonly act: (desk: Desk) => Promise<unknown>;
  /** The issue that moves after that. */
  readonly issue?: number;
}

const say =
  (text: string, who: 'wren' | 'mallory' | 'ada' = 'wren', number = 1) =>
  (desk: Desk): Promise<void> =>
    desk.say(who, number, text);
const nothing = async (): Promise<void> => undefined;

/** Those whose way out is taken in another file, with the words it is known by there. */
const ELSEWHERE = {
  'no-commit': 'command-answers',
  'github-refused': 'command-answers',
  'still-leased': '../attacks/lease-attacks',
  'other-commit': 'held-work',
} as const;

const WAYS: Readonly<Record<Exclude<Refusal['kind'], keyof typeof ELSEWHERE>, Way>> = {
  'no-permission': {
    ask: say('/auto', 'mallory'),
    says: 'Somebody who has it can write the command here',
    act: say('/auto'),
  },
  'text-changed': {
    ask: async (desk) => {
      p.clock.advance(1_000);
      await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto' });
      p.clock.advance(1_000);
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: 'Something else.' });
      await desk.settle();
    },
    says: 'Read it as it is now, then ask again',
    act: say('/auto'),
  },
  'text-unvouched': {
    ask: async (desk) => {
      await say('/auto --stop-at issue')(desk);
      await desk.finish();
      p.clock.advance(1_000);
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: 'Something else.' });
      await say('/auto')(desk);
    },
    says: 'vouches for exactly this text and goes on with it',
    act: async (desk) => {
      await say(await namedApproval(desk))(desk);
      await desk.finish();
      await say('/auto')(desk);
    },
  },
  'text-too-late': {
    options: { agent: (usual) => heldLate.agent(usual) },
    ask: async (desk) => {
      // What only reading can tell takes an agent to verify.
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: '- [ ] It reads well' });
      waiting.push(say('/auto')(desk));
      await heldLate.reached;
      p.clock.advance(1_000);
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: 'Something else.' });
      const { hash } = authorisedText({ title: 'Do the work', body: 'Something else.' });
      waiting.push(say(`/auto approve ${hash}`)(desk));
      await untilSaid(desk, 'takes up no other text');
    },
    says: 'When it is over, reopen the issue',
    act: async (desk) => {
      heldLate.open();
      await Promise.all(waiting);
      await desk.finish();
      p.clock.advance(1_000);
      await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'open' });
      await say(await namedApproval(desk))(desk);
      expect((await desk.state(1)).run?.authorised.body).toBe('Something else.');
    },
  },
  'comment-edited': {
    ask: async (desk) => {
      const { data } = await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto --pr' });
      p.clock.advance(1_000);
      await p.rest('wren').rest.issues.updateComment({ ...p.at, comment_id: data.id, body: '/auto --patch' });
      await desk.settle();
    },
    says: 'Write the command in a new comment',
    act: say('/auto --patch'),
  },
  'size-label': {
    ask: async (desk) => {
      await say('/auto --stop-at issue')(desk);
      await desk.finish();
      await sizeBy('tess')(desk);
    },
    says: 'somebody with write permission can set it',
    act: async (desk) => {
      await sizeBy('wren')(desk);
      expect((await desk.state(1)).run?.ownSize).toMatchObject({ size: 'L', by: 'wren' });
      await say('/auto')(desk);
    },
  },
  'too-many-commands': {
    options: { turns: { command: async () => (world.isThrottled ? p.clock.now() + 60_000 : null) } },
    ask: async (desk) => {
      world.isThrottled = true;
      await say('/auto')(desk);
    },
    says: 'write it again after',
    act: async (desk) => {
      world.isThrottled = false;
      p.clock.advance(61_000);
      await say('/auto')(desk);
    },
  },
  'repository-not-allowed': {
    options: { serves: () => world.isServed },
    ask: async (desk) => {
      world.isServed = false;
      await say('/auto')(desk);
    },
    says: 'Whoever runs it can allow the repository',
    act: async (desk) => {
      world.isServed = true;
      await say('/auto')(desk);
    },
  },
  'issue-closed': {
    ask: async (desk) => {
      await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'closed' });
      await say('/auto')(desk);
    },
    says: 'Reopen it, then write `/auto`',
    act: async (desk) => {
      await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'open' });
      await say('/auto')(desk);
    },
  },
  'issue-gone': { ask: say('/auto 99'), says: '`/auto N` takes the number of an open issue', act: say('/auto 1') },
  'not-running': { ask: say('/auto stop'), says: '`/auto` starts it', act: say('/auto') },
  'nothing-to-approve': { ask: say('/auto approve'), says: 'waits for an approval', act: say('/auto') },
  'never-started': { ask: say('/auto continue'), says: '`/auto 1` starts it', act: say('/auto 1') },
  'batch-unlisted': { ask: say('/auto --batch 5'), says: '`/auto 12` for a single one', act: say('/auto 1') },
  label: {
    ask: async (desk) => {
      await p
        .rest('ada')
        .rest.issues.createLabel({ ...p.at, name: 'phase/ready' })
        .catch(nothing);
      await p.rest('tess').rest.issues.addLabels({ ...p.at, issue_number: 1, labels: ['phase/ready'] });
      await desk.settle();
    },
    says: 'or comment `/auto`',
    act: say('/auto'),
  },
  'not-our-pull': {
    ask: async (desk) => {
      const branch = 'theirs';
      const { data } = await p.rest('ada').rest.git.getRef({ ...p.at, ref: 'heads/main' });
      await p.rest('ada').rest.git.createRef({ ...p.at, ref: `refs/heads/${branch}`, sha: data.object.sha });
      const content = Buffer.from('more').toString('base64');
      const file = { ...p.at, path: 'theirs.txt', branch, content, message: 'Theirs' };
      await p.rest('ada').rest.repos.createOrUpdateFileContents(file);
      const pull = { ...p.at, title: 'Theirs', head: branch, base: 'main' };
      const { data: opened } = await p.rest('ada').rest.pulls.create(pull);
      await say('/auto', 'wren', opened.number)(desk);
    },
    says: 'Name it: `/auto 123`',
    act: say('/auto 1'),
  },
  'already-running': {
    options: { agent: (usual) => held.agent(usual) },
    ask: async (desk) => {
      waiting.push(say('/auto')(desk));
      await held.reached;
      waiting.push(say('/auto retry code')(desk));
      await untilSaid(desk, 'is being worked on already');
    },
    says: '`/auto stop` ends that',
    act: async (desk) => {
      waiting.push(say('/auto stop')(desk));
      held.open();
      await Promise.all(waiting);
      await desk.finish();
      await say('/auto continue')(desk);
    },
  },
  stopping: {
    options: { agent: (usual) => held.agent(usual) },
    ask: async (desk) => {
      waiting.push(say('/auto')(desk));
      await held.reached;
      waiting.push(say('/auto stop\n')(desk), say('/auto')(desk));
      await untilSaid(desk, 'being stopped at this moment');
    },
    says: '`/auto continue` goes on',
    act: async (desk) => {
      held.open();
      await Promise.all(waiting);
      await desk.finish();
      await say('/auto continue')(desk);
    },
  },
  'gave-up': {
    ask: async (desk) => {
      const body = 'It should be done.';
      const { data } = await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body });
      const author = { id: p.users.wren.id, login: 'wren', kind: 'human' } as const;
      const ref = { ...p.at, number: 1 };
      const comment = { kind: 'comment', ref, isPull: false, commentId: data.node_id, at: p.clock.now() } as const;
      await giveUp(desk.instance.engine, { ...comment, author, body }, new Error('the disk is full'));
    },
    says: 'Write the command again once that is put right',
    act: say('/auto'),
  },
  'other-hash': {
    options: {},
    ask: async (desk) => {
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: COMMANDS });
      await say('/auto --stop-at spec')(desk);
      await desk.finish();
      await say('/auto approve 0123456789ab')(desk);
    },
    says: 'with the hash given there',
    act: async (desk) => {
      const hash = (await desk.state(1)).progress.triage?.criteriaHash ?? '';
      await say(`/auto approve ${hash.slice(0, 12)}`)(desk);
      await say('/auto')(desk);
    },
  },
};

const COMMANDS = '- [ ] The work is done <!-- verify: command "grep -q done work.txt" -->';
let held = heldAt('code');
let heldLate = heldAt('verify');
let waiting: Promise<unknown>[] = [];
beforeEach(() => {
  held = heldAt('code');
  heldLate = heldAt('verify');
  waiting = [];
});

/** The command that the newest answer names. */
async function namedApproval(desk: Desk): Promise<string> {
  const named = (await desk.said(1)).flatMap((body) => /`(\/auto approve [0-9a-f]{32} 1)`/.exec(body)?.[1] ?? []);
  return named.at(-1) ?? 'no answer names an approval';
}

const sizeBy =
  (who: 'tess' | 'wren') =>
  async (desk: Desk): Promise<void> => {
    p.clock.advance(1_000);
    await p
      .rest('ada')
      .rest.issues.createLabel({ ...p.at, name: 'size/L' })
      .catch(nothing);
    await p.rest(who).rest.issues.addLabels({ ...p.at, issue_number: 1, labels: ['size/L'] });
    await desk.finish();
  };

/** A reply comes while a phase is held: nothing else will settle before it. */
const untilSaid = (desk: Desk, words: string): Promise<void> =>
  until(`somebody said: ${words}`, async () => (await desk.said(1)).some((text) => text.includes(words)));

test.each(Object.entries(ELSEWHERE))('the way out of %s is taken in %s.test.ts', (kind, file) => {
  const words =
    {
      'no-commit': 'has no commit yet',
      'github-refused': 'GitHub does not let Sluice',
      'still-leased': 'Write `/auto` again after',
      'other-commit': 'Only one commit waits for an approval',
    }[kind] ?? kind;
  expect(readFileSync(`test/usecases/${file}.test.ts`, 'utf8')).toContain(words);
});

test.each(Object.entries(WAYS))(
  '%s: what the answer says works',
  async (_, { options = {}, ask, says, act, issue = 1 }) => {
    const desk = await open(options);
    await desk.open('mallory');
    await ask(desk);
    const { data } = await p.rest('ada').rest.issues.listCommentsForRepo({ ...p.at });
    expect(data.map(({ body }) => body ?? '').join('\n')).toContain(says);
    await act(desk);
    await desk.finish();
    expect(await desk.labels(issue)).toContain('phase/done');
  },
);
