import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from '@jest/globals';
import type { Refusal } from '../../../src/domain/render/replies/refusals.js';
import { giveUp } from '../../../src/usecases/commands/handle-event.js';
import { authorisedText } from '../../../src/usecases/issue/issue-text.js';
import type { EngineHarness, EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { until } from '../../support/until.js';

/* A command that is refused says why and what would work. Here each is refused, and then what it says is done. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
const world = { isServed: true, isThrottled: false };
beforeEach(() => {
  world.isServed = true;
  world.isThrottled = false;
});

interface Way {
  readonly options?: EngineHarnessOptions;
  /** Has it refused. */
  readonly ask: (harness: EngineHarness) => Promise<unknown>;
  readonly says: string;
  /** Does what the answer says. */
  readonly act: (harness: EngineHarness) => Promise<unknown>;
  /** The issue that moves after that. */
  readonly issue?: number;
}

const say =
  (text: string, who: 'wren' | 'mallory' | 'ada' = 'wren', number = 1) =>
  (harness: EngineHarness): Promise<void> =>
    harness.say(who, number, text);
const nothing = async (): Promise<void> => undefined;

/** Those whose way out is taken in another file, with the words it is known by there. */
const ELSEWHERE = {
  'no-commit': 'commands/command-answers',
  'github-refused': 'commands/command-answers',
  'still-leased': '../attacks/state/lease-attacks',
  'other-commit': 'manual-actions/work-approval',
} as const;

const WAYS: Readonly<Record<Exclude<Refusal['kind'], keyof typeof ELSEWHERE>, Way>> = {
  'no-permission': {
    ask: say('/auto', 'mallory'),
    says: 'Somebody who has it can write the command here',
    act: say('/auto'),
  },
  'text-changed': {
    ask: async (harness) => {
      p.clock.advance(1_000);
      await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto' });
      p.clock.advance(1_000);
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: 'Something else.' });
      await harness.settle();
    },
    says: 'Read it as it is now, then ask again',
    act: say('/auto'),
  },
  'text-unvouched': {
    ask: async (harness) => {
      await say('/auto --stop-at issue')(harness);
      await harness.finish();
      p.clock.advance(1_000);
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: 'Something else.' });
      await say('/auto')(harness);
    },
    says: 'vouches for exactly this text and goes on with it',
    act: async (harness) => {
      await say(await namedApproval(harness))(harness);
      await harness.finish();
      await say('/auto')(harness);
    },
  },
  'text-too-late': {
    options: { agent: (usual) => heldLate.agent(usual) },
    ask: async (harness) => {
      // What only reading can tell takes an agent to verify.
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: '- [ ] It reads well' });
      waiting.push(say('/auto')(harness));
      await heldLate.reached;
      p.clock.advance(1_000);
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: 'Something else.' });
      const { hash } = authorisedText({ title: 'Do the work', body: 'Something else.' });
      waiting.push(say(`/auto approve ${hash}`)(harness));
      await untilSaid(harness, 'takes up no other text');
    },
    says: 'When it is over, reopen the issue',
    act: async (harness) => {
      heldLate.open();
      await Promise.all(waiting);
      await harness.finish();
      p.clock.advance(1_000);
      await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'open' });
      await say(await namedApproval(harness))(harness);
      expect((await harness.state(1)).run?.authorised.body).toBe('Something else.');
    },
  },
  'comment-edited': {
    ask: async (harness) => {
      const { data } = await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto --pr' });
      p.clock.advance(1_000);
      await p.rest('wren').rest.issues.updateComment({ ...p.at, comment_id: data.id, body: '/auto --patch' });
      await harness.settle();
    },
    says: 'Write the command in a new comment',
    act: say('/auto --patch'),
  },
  'size-label': {
    ask: async (harness) => {
      await say('/auto --stop-at issue')(harness);
      await harness.finish();
      await sizeBy('tess')(harness);
    },
    says: 'somebody with write permission can set it',
    act: async (harness) => {
      await sizeBy('wren')(harness);
      expect((await harness.state(1)).run?.ownSize).toMatchObject({ size: 'L', by: 'wren' });
      await say('/auto')(harness);
    },
  },
  'too-many-commands': {
    options: { turns: { countCommand: async () => (world.isThrottled ? p.clock.now() + 60_000 : null) } },
    ask: async (harness) => {
      world.isThrottled = true;
      await say('/auto')(harness);
    },
    says: 'write it again after',
    act: async (harness) => {
      world.isThrottled = false;
      p.clock.advance(61_000);
      await say('/auto')(harness);
    },
  },
  'repository-not-allowed': {
    options: { serves: () => world.isServed },
    ask: async (harness) => {
      world.isServed = false;
      await say('/auto')(harness);
    },
    says: 'Its operator can allow the repository',
    act: async (harness) => {
      world.isServed = true;
      await say('/auto')(harness);
    },
  },
  'issue-closed': {
    ask: async (harness) => {
      await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'closed' });
      await say('/auto')(harness);
    },
    says: 'Reopen it, then write `/auto`',
    act: async (harness) => {
      await p.rest('ada').rest.issues.update({ ...p.at, issue_number: 1, state: 'open' });
      await say('/auto')(harness);
    },
  },
  'issue-gone': { ask: say('/auto 99'), says: '`/auto N` takes the number of an open issue', act: say('/auto 1') },
  'not-running': { ask: say('/auto stop'), says: '`/auto` starts it', act: say('/auto') },
  'nothing-to-approve': { ask: say('/auto approve'), says: 'waits for an approval', act: say('/auto') },
  'never-started': { ask: say('/auto continue'), says: '`/auto 1` starts it', act: say('/auto 1') },
  'batch-unlisted': { ask: say('/auto --batch 5'), says: '`/auto 12` for a single one', act: say('/auto 1') },
  label: {
    ask: async (harness) => {
      await p
        .rest('ada')
        .rest.issues.createLabel({ ...p.at, name: 'phase/ready' })
        .catch(nothing);
      await p.rest('tess').rest.issues.addLabels({ ...p.at, issue_number: 1, labels: ['phase/ready'] });
      await harness.settle();
    },
    says: 'or comment `/auto`',
    act: say('/auto'),
  },
  'not-our-pull': {
    ask: async (harness) => {
      const branch = 'theirs';
      const { data } = await p.rest('ada').rest.git.getRef({ ...p.at, ref: 'heads/main' });
      await p.rest('ada').rest.git.createRef({ ...p.at, ref: `refs/heads/${branch}`, sha: data.object.sha });
      const content = Buffer.from('more').toString('base64');
      const file = { ...p.at, path: 'theirs.txt', branch, content, message: 'Theirs' };
      await p.rest('ada').rest.repos.createOrUpdateFileContents(file);
      const pull = { ...p.at, title: 'Theirs', head: branch, base: 'main' };
      const { data: opened } = await p.rest('ada').rest.pulls.create(pull);
      await say('/auto', 'wren', opened.number)(harness);
    },
    says: 'Name it: `/auto 123`',
    act: say('/auto 1'),
  },
  'already-running': {
    options: { agent: (usual) => held.agent(usual) },
    ask: async (harness) => {
      waiting.push(say('/auto')(harness));
      await held.reached;
      waiting.push(say('/auto retry code')(harness));
      await untilSaid(harness, 'is being worked on already');
    },
    says: '`/auto stop` ends that',
    act: async (harness) => {
      waiting.push(say('/auto stop')(harness));
      held.open();
      await Promise.all(waiting);
      await harness.finish();
      await say('/auto continue')(harness);
    },
  },
  stopping: {
    options: { agent: (usual) => held.agent(usual) },
    ask: async (harness) => {
      waiting.push(say('/auto')(harness));
      await held.reached;
      waiting.push(say('/auto stop\n')(harness), say('/auto')(harness));
      await untilSaid(harness, 'being stopped at this moment');
    },
    says: '`/auto continue` goes on',
    act: async (harness) => {
      held.open();
      await Promise.all(waiting);
      await harness.finish();
      await say('/auto continue')(harness);
    },
  },
  'gave-up': {
    ask: async (harness) => {
      const body = 'It should be done.';
      const { data } = await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body });
      const author = { id: p.users.wren.id, login: 'wren', kind: 'human' } as const;
      const ref = { ...p.at, number: 1 };
      const comment = { kind: 'comment', ref, isPull: false, commentId: data.node_id, at: p.clock.now() } as const;
      await giveUp(harness.instance.engine, { ...comment, author, body }, new Error('the disk is full'));
    },
    says: 'Write the command again once that is put right',
    act: say('/auto'),
  },
  'other-hash': {
    options: {},
    ask: async (harness) => {
      await p.rest('mallory').rest.issues.update({ ...p.at, issue_number: 1, body: COMMANDS });
      await say('/auto --stop-at spec')(harness);
      await harness.finish();
      await say('/auto approve 0123456789ab')(harness);
    },
    says: 'with the hash given there',
    act: async (harness) => {
      const hash = (await harness.state(1)).progress.triage?.criteriaHash ?? '';
      await say(`/auto approve ${hash.slice(0, 12)}`)(harness);
      await say('/auto')(harness);
    },
  },
};

const COMMANDS = '- [ ] The work is done <!-- verify: command "grep -q done work.txt" -->';
let held = agentHeldAt('code');
let heldLate = agentHeldAt('verify');
let waiting: Promise<unknown>[] = [];
beforeEach(() => {
  held = agentHeldAt('code');
  heldLate = agentHeldAt('verify');
  waiting = [];
});

/** The command that the newest answer names. */
async function namedApproval(harness: EngineHarness): Promise<string> {
  const named = (await harness.said(1)).flatMap((body) => /`(\/auto approve [0-9a-f]{32} 1)`/.exec(body)?.[1] ?? []);
  return named.at(-1) ?? 'no answer names an approval';
}

const sizeBy =
  (who: 'tess' | 'wren') =>
  async (harness: EngineHarness): Promise<void> => {
    p.clock.advance(1_000);
    await p
      .rest('ada')
      .rest.issues.createLabel({ ...p.at, name: 'size/L' })
      .catch(nothing);
    await p.rest(who).rest.issues.addLabels({ ...p.at, issue_number: 1, labels: ['size/L'] });
    await harness.finish();
  };

/** A reply comes while a phase is held: nothing else will settle before it. */
const untilSaid = (harness: EngineHarness, words: string): Promise<void> =>
  until(`somebody said: ${words}`, async () => (await harness.said(1)).some((text) => text.includes(words)));

test.each(Object.entries(ELSEWHERE))('the way out of %s is taken in %s.test.ts', (kind, file) => {
  const words =
    {
      'no-commit': 'has no commit yet',
      'github-refused': 'GitHub does not let Sluice',
      'still-leased': 'Write `/auto` again after',
      'other-commit': 'Only one commit waits for an approval',
    }[kind] ?? kind;
  expect(readFileSync(`test/system/${file}.test.ts`, 'utf8')).toContain(words);
});

test.each(Object.entries(WAYS))(
  '%s: what the answer says works',
  async (_, { options = {}, ask, says, act, issue = 1 }) => {
    const harness = await open(options);
    await harness.open('mallory');
    await ask(harness);
    const { data } = await p.rest('ada').rest.issues.listCommentsForRepo({ ...p.at });
    expect(data.map(({ body }) => body ?? '').join('\n')).toContain(says);
    await act(harness);
    await harness.finish();
    expect(await harness.labels(issue)).toContain('phase/done');
  },
);
