import { expect, test } from '@jest/globals';
import { HALT_CODES } from '../../../src/domain/issue/halt-codes.js';
import type { Size } from '../../../src/domain/issue/size.js';
import { issueActions } from '../../support/github/issue-actions.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* A2: somebody loses write permission while work goes on in their name. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const { comment } = issueActions(() => p);

const mainTip = async (): Promise<string> =>
  (await p.rest('ada').rest.git.getRef({ ...p.at, ref: 'heads/main' })).data.object.sha;

const ROUTES: readonly (readonly [string, Size, string])[] = [
  ['pushed to base', 'XS', 'code'],
  ['merged', 'M', 'review'],
];

test.each(ROUTES)(
  'A2: nothing is %s in the name of somebody who has lost write permission, and somebody else can go on',
  async (_, size, phase) => {
    const held = agentHeldAt(phase);
    const harness = await atWork({ size, agent: held.agent });
    const number = await harness.open('wren');
    const before = await mainTip();
    await comment('wren', number, '/auto');
    const starting = harness.settle();
    if (phase === 'review') {
      await starting;
      p.clock.advance(100_000);
    }
    const working = phase === 'review' ? harness.settle() : starting;
    await held.reached;
    await p.rest('ada').rest.repos.addCollaborator({ ...p.at, username: 'wren', permission: 'triage' });
    held.open();
    await working;
    await harness.finish();
    expect(await mainTip()).toBe(before);
    const { halt } = await harness.state(number);
    expect(halt).toMatchObject({ code: 'authoriser-gone', because: 'wren has no write permission any more' });
    const status = (await harness.said(number)).find((body) => body.includes('sluice:status'));
    expect(status).toContain(HALT_CODES['authoriser-gone'].message);
    await harness.say('wren', number, '/auto continue');
    expect((await harness.state(number)).halt).toMatchObject({ code: 'authoriser-gone' });
    await harness.say('ada', number, '/auto continue');
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
    expect(await mainTip()).not.toBe(before);
  },
);
