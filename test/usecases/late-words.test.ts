import { describe, expect, test } from '@jest/globals';
import { actsOn } from '../support/acts.js';
import { deskEachTest } from '../support/desk-each-test.js';
import { heldAt } from '../support/held-agent.js';
import type { TestPocket } from '../support/pocket.js';
import { until } from '../support/until.js';

/* What is heard too early, too late, twice or in another order. */

let p: TestPocket;
const atWork = deskEachTest((pocket) => {
  p = pocket;
});

const { comment, edit, label, unlabel } = actsOn(() => p);

describe('words that come too late or too early', () => {
  test('a stop that is heard before the command it follows still stops', async () => {
    const desk = await atWork();
    const number = await desk.open('wren');
    await comment('wren', number, '/auto');
    await comment('wren', number, '/auto stop');
    await p.deliveries();
    p.receiver.received.reverse();
    await desk.finish();
    expect((await desk.state(number)).halt).toMatchObject({ state: 'paused', code: 'stopped' });
    expect(desk.instance.runs()).toBe(0);
  });

  test('a stop said while the command was on its way stops the run', async () => {
    const desk = await atWork();
    const number = await desk.open('wren');
    await comment('wren', number, '/auto');
    await comment('wren', number, '/auto stop');
    p.clock.advance(600_000);
    await desk.finish();
    expect((await desk.state(number)).halt).toMatchObject({ code: 'stopped' });
  });

  test('a stop is outweighed neither by a pause nor by a label after it', async () => {
    const held = heldAt('code');
    const desk = await atWork({ agent: held.agent });
    const number = await desk.open('wren');
    await comment('wren', number, '/auto');
    const running = desk.settle();
    await held.reached;
    await comment('wren', number, '/auto stop');
    const hearing = desk.settle();
    await until('the wish is written down', async () => (await desk.state(number)).wish !== null);
    await comment('wren', number, '/auto pause');
    await label('wren', number, 'phase/issue');
    const more = desk.settle();
    await until('the label is heard', async () => (await desk.state(number)).heard?.at === p.clock.now());
    expect((await desk.state(number)).wish).toMatchObject({ kind: 'stop' });
    p.clock.advance(6_000);
    await Promise.all([running, hearing, more]);
    await desk.settle();
    expect((await desk.state(number)).halt).toMatchObject({ code: 'stopped' });
  });

  test('deliveries in any order, ten minutes late, come to the same end', async () => {
    const ends: unknown[] = [];
    for (const reversed of [false, true]) {
      const before = (await p.deliveries()).length;
      const desk = await atWork();
      const body = '- [ ] The work is done <!-- verify: file_contains work.txt done -->';
      const number = await desk.open('wren', body);
      await label('wren', number, 'size/XS');
      await label('wren', number, 'phase/ready');
      await comment('wren', number, '/auto');
      await comment('wren', number, 'I like it.');
      await label('tess', number, 'phase/verify');
      await unlabel('tess', number, 'phase/verify');
      await p.deliveries();
      const news = p.receiver.received.splice(before);
      p.receiver.received.push(...(reversed ? news.toReversed() : news));
      p.clock.advance(600_000);
      await desk.finish();
      const { progress, halt, run } = await desk.state(number);
      ends.push({
        labels: await desk.labels(number),
        done: progress.done !== null,
        halt,
        by: run?.by.login,
        waived: run?.waiver?.phase,
      });
      await desk.close();
    }
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[0]).toMatchObject({ done: true, halt: null, by: 'wren', waived: 'ready' });
  });

  test('an issue that was finished, opened again and asked for again can be stopped by its label', async () => {
    const held = heldAt('code');
    const desk = await atWork();
    const number = await desk.open('wren');
    await desk.say('wren', number, '/auto');
    await desk.finish();
    await desk.close();
    const again = await atWork({ agent: held.agent });
    p.clock.advance(60_000);
    await edit('wren', number, { state: 'open' });
    await again.settle();
    // Reopening alone starts nothing.
    expect((await again.state(number)).halt?.code).toBe('reopened');
    const running = again.say('wren', number, '/auto');
    await held.reached;
    await unlabel('wren', number, 'auto/running');
    const hearing = again.settle();
    await until('the wish is written down', async () => (await again.state(number)).wish !== null);
    p.clock.advance(6_000);
    await Promise.all([running, hearing]);
    await again.settle();
    expect((await again.state(number)).halt).toMatchObject({ code: 'stopped', because: 'wren took auto/running away' });
  });
});
