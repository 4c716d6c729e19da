import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/adapters/clock/system-clock.js';
import { KeyProxy } from '../src/adapters/model-gate/key-proxy.js';
import type { ModelPass } from '../src/ports/model-gate.js';
import { median } from './figures.js';

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ATTACKS = ['nothing', 'blocks', 'texts', 'unfinished'] as const;
const HONEST_BODY = JSON.stringify({
  model: 'claude-opus-5-5',
  max_tokens: 10,
  messages: [{ role: 'user', content: 'word '.repeat(20_000) }],
});

/** What one hostile run can do to the service through the key proxy: stalls and memory. */
export async function benchModelGate(progress: (line: string) => void): Promise<Record<string, number>> {
  const child = fork(fileURLToPath(new URL('./model-gate-attacker.js', import.meta.url)), { stdio: 'inherit' });
  const [url] = (await once(child, 'message')) as [string];
  const proxy = new KeyProxy({
    credential: { kind: 'api-key', value: 'sk-ant-api03-bench' },
    upstream: new URL(url),
    listen: { kind: 'loopback' },
    clock: systemClock,
    log: QUIET,
  });
  const [hostile, honest] = [await proxy.admit('hostile'), await proxy.admit('honest')];
  const figures: Record<string, number> = {};
  try {
    await askOften(honest, 20);
    const calmMb = process.memoryUsage().rss / 2 ** 20;
    for (const attack of ATTACKS) {
      const { stallMs, peakMb, honestMs } = await during(attack, hostile, honest);
      progress(
        `${attack}: stalled for ${stallMs} ms at most, ${Math.round(peakMb - calmMb)} MB, honest ${honestMs} ms`,
      );
      figures[`${attack}StallMs`] = stallMs;
      figures[`${attack}Mb`] = Math.round(peakMb - calmMb);
      figures[`${attack}HonestMs`] = honestMs;
    }
    return figures;
  } finally {
    await Promise.all([hostile.close(), honest.close()]);
    child.disconnect();
    await once(child, 'exit');
  }

  async function during(attack: string, hostile: ModelPass, honest: ModelPass) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const peak = { mb: 0 };
    const sampling = setInterval(() => (peak.mb = Math.max(peak.mb, process.memoryUsage().rss / 2 ** 20)), 10);
    const over = once(child, 'message');
    delay.enable();
    child.send({ attack, ...gateAddressOf(hostile) });
    const honestMs = median(await askOften(honest, 10));
    await over;
    delay.disable();
    clearInterval(sampling);
    return { stallMs: Math.round(delay.max / 1e6), peakMb: peak.mb, honestMs };
  }
}

function gateAddressOf({ env }: ModelPass) {
  return { port: Number(new URL(env['ANTHROPIC_BASE_URL'] ?? '').port), token: env['ANTHROPIC_API_KEY'] ?? '' };
}

/** Durations of honest requests, sent one after another. */
async function askOften(pass: ModelPass, times: number): Promise<number[]> {
  const { port, token } = gateAddressOf(pass);
  const took: number[] = [];
  for (let asked = 0; asked < times; asked += 1) {
    const started = performance.now();
    await new Promise((resolve, reject) => {
      const options = { port, method: 'POST', path: '/v1/messages', headers: { 'x-api-key': token } };
      const asking = request(options, (answer) => answer.resume().once('end', resolve));
      asking.once('error', reject);
      asking.end(HONEST_BODY);
    });
    took.push(Math.round(performance.now() - started));
  }
  return took;
}
