import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/adapters/clock/system-clock.js';
import { openRedis } from '../src/adapters/redis/server/redis-server.js';
import { flood, type Outcome, pace } from './ingest-load.js';
import { irrelevantLetters, type Letter, ONE_IN, relevantLetter } from './ingest-mix.js';

interface ServerReport {
  readonly heard: number;
  readonly rss: number;
  /** CPU time of its process: more reliable than the clock on a busy machine. */
  readonly cpuMs: number;
}

interface Server {
  readonly url: string;
  /** Relevant deliveries that were handled, once the queue is empty. */
  heard(): Promise<ServerReport>;
  close(): Promise<void>;
}

const FULL = {
  rounds: 5,
  floodMs: 4_000,
  calm: { perSecond: 200, seconds: 100 },
  storm: { perSecond: 1_000, seconds: 10 },
};
const QUICK = {
  rounds: 2,
  floodMs: 1_500,
  calm: { perSecond: 200, seconds: 5 },
  storm: { perSecond: 1_000, seconds: 2 },
};

/** Webhooks through the front door, beside a bare Node server that checks the signature and writes to Redis once. */
export async function benchIngest(
  progress: (line: string) => void,
  { quick }: { readonly quick: boolean },
): Promise<Record<string, number>> {
  const { rounds, floodMs, calm, storm } = quick ? QUICK : FULL;
  const quiet = (): void => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  const redis = await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log });
  const [ours, bare] = [await open('ours', redis.url), await open('bare', redis.url)];
  const [forOurs, forBare] = [mixed(), mixed()];
  try {
    const rates: { ours: number; bare: number }[] = [];
    const outcomes: Outcome[] = [];
    const floods = async (server: Server, mix: Mix): Promise<number> => {
      const before = await server.heard();
      const outcome = await flood(server.url, mix.next, floodMs);
      const cpuMs = (await server.heard()).cpuMs - before.cpuMs;
      if (server === ours) outcomes.push(outcome);
      const count = outcome.latencies.length;
      progress(`  ${server === ours ? 'ours' : 'bare'}: ${((cpuMs * 1000) / count).toFixed()} µs of CPU for each`);
      return count / outcome.seconds;
    };
    for (let round = 0; round <= rounds; round += 1) {
      const rate = { ours: await floods(ours, forOurs), bare: await floods(bare, forBare) };
      progress(`round ${round || 'to warm up'}: ours ${rate.ours.toFixed()}/s, bare ${rate.bare.toFixed()}/s`);
      if (round > 0) rates.push(rate);
    }
    const steady = await pace(ours.url, forOurs.next, calm.perSecond, calm.seconds);
    progress(`${calm.perSecond}/s for ${calm.seconds} s: ${said(steady)}`);
    const rush = await pace(ours.url, forOurs.next, storm.perSecond, storm.seconds);
    progress(`${storm.perSecond}/s for ${storm.seconds} s: ${said(rush)}`);
    const { heard, rss } = await ours.heard();
    progress(`${heard} of ${forOurs.relevant()} relevant deliveries heard; ${(rss / 2 ** 20).toFixed()} MB`);
    const failed = [...outcomes, steady, rush].reduce((sum, outcome) => sum + outcome.failed, 0);
    return {
      perSecond: Math.round(median(rates.map((rate) => rate.ours))),
      ceilingPerSecond: Math.round(median(rates.map((rate) => rate.bare))),
      ratio: Number(median(rates.map((rate) => rate.ours / rate.bare)).toFixed(3)),
      p99Ms: rounded(quantile(steady.latencies, 0.99)),
      maxMs: rounded(Math.max(quantile(steady.latencies, 1), quantile(rush.latencies, 1))),
      lost: forOurs.relevant() - heard + failed,
    };
  } finally {
    await ours.close();
    await bare.close();
    await redis.close();
  }
}

interface Mix {
  readonly next: () => Letter;
  /** How many of those given so far are about us. */
  relevant(): number;
}

function mixed(): Mix {
  const [letters, ours] = [irrelevantLetters(), relevantLetter()];
  let given = 0;
  return {
    next: () => {
      given += 1;
      return given % ONE_IN === 0 ? ours : (letters[given % letters.length] ?? ours);
    },
    relevant: () => Math.floor(given / ONE_IN),
  };
}

async function open(kind: 'ours' | 'bare', redisUrl: string): Promise<Server> {
  const program = fileURLToPath(new URL('./ingest-server.js', import.meta.url));
  const child = fork(program, [kind, redisUrl], { stdio: 'inherit' });
  const { url } = await answerOf<{ readonly url: string }>(child);
  return {
    url,
    heard: () => {
      const answer = answerOf<ServerReport>(child);
      child.send('?');
      return answer;
    },
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer] = (await once(child, 'message')) as [Answer];
  return answer;
}

const quantile = (values: readonly number[], part: number): number => {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
};
const median = (values: readonly number[]): number => quantile(values, 0.5);
const rounded = (value: number): number => Number(value.toFixed(1));
const said = ({ latencies, failed }: Outcome): string =>
  `p50 ${rounded(median(latencies))} ms, p99 ${rounded(quantile(latencies, 0.99))} ms, worst ${rounded(quantile(latencies, 1))} ms, ${failed} failed`;
