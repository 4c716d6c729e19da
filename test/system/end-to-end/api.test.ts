import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunReport } from '../../../src/usecases/report/run-report.js';
import { type DemoHarness, openDemoHarness } from '../../support/service/demo-harness.js';
import { assertMessage } from '../../support/service/open-api.js';

/* The whole machine, asked over HTTP: real Redis, real git, the real CLI on a scripted model. */

interface Told {
  readonly id?: string;
  readonly kind: string;
  readonly phase?: string;
  readonly doing?: string;
  readonly end?: string;
  readonly record?: { readonly outcome: string; readonly turns: number } | null;
}

/** Everything the stream says until a run is done. */
async function untilDone(
  url: string,
  headers: Record<string, string>,
  started: () => Promise<void>,
): Promise<readonly Told[]> {
  const answer = await fetch(`${url}/api/events?since=0-0`, { headers });
  const reader = (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  await started();
  const told: Told[] = [];
  for (let text = ''; told.at(-1)?.kind !== 'done'; ) {
    const { value, done } = await reader.read();
    if (done) throw new Error('the stream ended');
    const blocks = `${text}${value}`.split('\n\n');
    text = blocks.pop() ?? '';
    for (const data of blocks.flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? [])) {
      assertMessage(JSON.parse(data));
      told.push(JSON.parse(data) as Told);
    }
  }
  await reader.cancel();
  return told;
}

describe('the API of a running service', () => {
  const at: { harness?: DemoHarness } = {};
  beforeAll(async () => void (at.harness = await openDemoHarness()));
  afterAll(() => at.harness?.world.close());

  test('starts a run, tells what happens to it, and shows how it ended', async () => {
    const { harness } = at;
    if (harness === undefined) throw new Error('not open');
    const { url } = harness.world.service;
    const auto = `${url}/api/repos/${harness.world.repository}/issues/1/auto`;
    const headers = { authorization: `Bearer ${harness.world.apiToken}`, 'content-type': 'application/json' };
    const told = await untilDone(url, headers, async () => {
      expect((await fetch(auto, { method: 'POST', headers })).status).toBe(201);
    });
    const events = told.filter(({ id }) => id !== undefined);
    expect(events[0]).toMatchObject({ kind: 'run-started', by: 'api' });
    const ended = events.filter(({ kind }) => kind === 'phase-ended');
    expect(new Set(ended.map(({ end }) => end))).toEqual(new Set(['done']));
    const code = ended.find(({ phase }) => phase === 'code');
    expect(code?.record).toMatchObject({ outcome: 'succeeded', turns: expect.any(Number) });
    expect(told.filter(({ kind }) => kind === 'agent-activity').map(({ doing }) => doing)).toContain('tool');
    const run = (await (await fetch(auto, { headers })).json()) as RunReport;
    expect(run).toMatchObject({ status: 'done', run: { by: 'api' }, lease: null });
  });
});
