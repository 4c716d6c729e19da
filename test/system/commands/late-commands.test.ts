import { describe, expect, test } from '@jest/globals';
import { issueActions } from '../../support/github/issue-actions.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { until } from '../../support/until.js';

/* Commands that arrive too early, too late, twice or in another order. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const { comment, edit, label, unlabel } = issueActions(() => p);

describe('words that come too late or too early', () => {
  test('a stop that is handled before the command it follows still stops', async () => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await comment('wren', number, '/auto');
    await comment('wren', number, '/auto stop');
    await p.deliveries();
    p.receiver.received.reverse();
    await harness.finish();
    expect((await harness.state(number)).halt).toMatchObject({ state: 'paused', code: 'stopped' });
    expect(harness.instance.runs()).toBe(0);
  });

  test('a stop said while the command was on its way stops the run', async () => {
    const harness = await atWork();
    const number = await harness.open('wren');
    await comment('wren', number, '/auto');
    await comment('wren', number, '/auto stop');
    p.clock.advance(600_000);
    await harness.finish();
    expect((await harness.state(number)).halt).toMatchObject({ code: 'stopped' });
  });

  test('a stop is outweighed neither by a pause nor by a label after it', async () => {
    const held = agentHeldAt('code');
    const harness = await atWork({ agent: held.agent });
    const number = await harness.open('wren');
    await comment('wren', number, '/auto');
    const running = harness.settle();
    await held.reached;
    await comment('wren', number, '/auto stop');
    const hearing = harness.settle();
    await until('the wish is written down', async () => (await harness.state(number)).pendingRequest !== null);
    await comment('wren', number, '/auto pause');
    await label('wren', number, 'phase/issue');
    const more = harness.settle();
    await until('the label is heard', async () => (await harness.state(number)).timelineCursor?.at === p.clock.now());
    expect((await harness.state(number)).pendingRequest).toMatchObject({ kind: 'stop' });
    p.clock.advance(6_000);
    await Promise.all([running, hearing, more]);
    await harness.settle();
    expect((await harness.state(number)).halt).toMatchObject({ code: 'stopped' });
  });

  test('deliveries in any order, ten minutes late, come to the same end', async () => {
    const ends: unknown[] = [];
    for (const reversed of [false, true]) {
      const before = (await p.deliveries()).length;
      const harness = await atWork();
      const body = '- [ ] The work is done <!-- verify: file_contains work.txt done -->';
      const number = await harness.open('wren', body);
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
      await harness.finish();
      const { progress, halt, run } = await harness.state(number);
      ends.push({
        labels: await harness.labels(number),
        done: progress.done !== null,
        halt,
        by: run?.by.login,
        waived: run?.waiver?.phase,
      });
      await harness.close();
    }
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[0]).toMatchObject({ done: true, halt: null, by: 'wren', waived: 'ready' });
  });

  test('an issue that was finished, opened again and asked for again can be stopped by its label', async () => {
    const held = agentHeldAt('code');
    const harness = await atWork();
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    await harness.finish();
    await harness.close();
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
    await until('the wish is written down', async () => (await again.state(number)).pendingRequest !== null);
    p.clock.advance(6_000);
    await Promise.all([running, hearing]);
    await again.settle();
    expect((await again.state(number)).halt).toMatchObject({ code: 'stopped', because: 'wren took auto/running away' });
  });
});
