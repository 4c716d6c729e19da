import { expect, test } from '@jest/globals';
import { ERRORS } from '../../src/domain/errors.js';
import type { Size } from '../../src/domain/size.js';
import { actsOn } from '../support/acts.js';
import { deskEachTest } from '../support/desk-each-test.js';
import { heldAt } from '../support/held-agent.js';
import type { TestPocket } from '../support/pocket.js';

/* A2: somebody loses write permission while work goes on in their name. */

let p: TestPocket;
const atWork = deskEachTest((pocket) => {
  p = pocket;
});

const { comment } = actsOn(() => p);

const mainTip = async (): Promise<string> =>
  (await p.rest('ada').rest.git.getRef({ ...p.at, ref: 'heads/main' })).data.object.sha;

const ROUTES: readonly (readonly [string, Size, string])[] = [
  ['pushed to base', 'XS', 'code'],
  ['merged', 'M', 'review'],
];

test.each(ROUTES)(
  'A2: nothing is %s in the name of somebody who has lost write permission, and somebody else can go on',
  async (_, size, phase) => {
    const held = heldAt(phase);
    const desk = await atWork({ size, agent: held.agent });
    const number = await desk.open('wren');
    const before = await mainTip();
    await comment('wren', number, '/auto');
    const starting = desk.settle();
    if (phase === 'review') {
      await starting;
      p.clock.advance(100_000);
    }
    const working = phase === 'review' ? desk.settle() : starting;
    await held.reached;
    await p.rest('ada').rest.repos.addCollaborator({ ...p.at, username: 'wren', permission: 'triage' });
    held.open();
    await working;
    await desk.finish();
    expect(await mainTip()).toBe(before);
    const { halt } = await desk.state(number);
    expect(halt).toMatchObject({ code: 'authoriser-gone', because: 'wren has no write permission any more' });
    const status = (await desk.said(number)).find((body) => body.includes('sluice:status'));
    expect(status).toContain(ERRORS['authoriser-gone'].message);
    await desk.say('wren', number, '/auto continue');
    expect((await desk.state(number)).halt).toMatchObject({ code: 'authoriser-gone' });
    await desk.say('ada', number, '/auto continue');
    await desk.finish();
    expect(await desk.labels(number)).toContain('phase/done');
    expect(await mainTip()).not.toBe(before);
  },
);
