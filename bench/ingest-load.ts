import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Letter } from './ingest-mix.js';

/** The result of one run. */
export interface Outcome {
  /** From due time to answer, in milliseconds. */
  readonly latencies: readonly number[];
  /** Answered with anything but 2xx, or not at all. */
  readonly failed: number;
  readonly seconds: number;
}

const CONNECTIONS = 48;
/** Servers close idle connections after five seconds, and a request at that moment fails. */
const KEPT_MS = 2_500;
const ANSWER = /^HTTP\/1\.1 (\d{3})/;

/** A kept connection with one request at a time. Written by hand, because Node's client costs as much as the servers it measures. */
class Line {
  readonly #url: URL;
  readonly #head: string;
  #socket: Socket;
  #lastUsed = performance.now();
  #answered: ((ok: boolean) => void) | null = null;
  #text = '';

  constructor(url: URL) {
    this.#url = url;
    this.#head = `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\nuser-agent: GitHub-Hookshot/bench\r\n`;
    this.#socket = this.#dial();
  }

  #dial(): Socket {
    const socket = connect(Number(this.#url.port), this.#url.hostname).setNoDelay(true).setEncoding('latin1');
    socket.on('data', (chunk) => this.#take(String(chunk)));
    const lost = (): void => {
      if (socket === this.#socket) this.#end(false);
    };
    socket.on('error', lost);
    socket.on('close', lost);
    return socket;
  }

  post({ event, body, signature }: Letter): Promise<boolean> {
    this.#text = '';
    const idleMs = performance.now() - this.#lastUsed;
    if (this.#socket.destroyed || idleMs > KEPT_MS) {
      this.#socket.destroy();
      this.#socket = this.#dial();
    }
    this.#lastUsed = performance.now();
    this.#socket.cork();
    this.#socket.write(
      `${this.#head}x-github-event: ${event}\r\nx-github-delivery: ${randomUUID()}\r\nx-hub-signature-256: ${signature}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    this.#socket.write(body);
    this.#socket.uncork();
    return new Promise((resolve) => {
      this.#answered = resolve;
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#text += chunk;
    const end = this.#text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1] ?? 0);
    if (this.#text.length >= end + 4 + length) this.#end(ANSWER.exec(this.#text)?.[1]?.startsWith('2') === true);
  }

  #end(ok: boolean): void {
    const answered = this.#answered;
    this.#answered = null;
    answered?.(ok);
  }
}

/** Sends as fast as answers come, for a time. */
export async function flood(url: string, next: () => Letter, ms: number): Promise<Outcome> {
  const lines = Array.from({ length: CONNECTIONS }, () => new Line(new URL(url)));
  const latencies: number[] = [];
  const started = performance.now();
  let failed = 0;
  await Promise.all(
    lines.map(async (line) => {
      while (performance.now() - started < ms) {
        const at = performance.now();
        if (await line.post(next())) latencies.push(performance.now() - at);
        else failed += 1;
      }
    }),
  );
  for (const line of lines) line.close();
  return { latencies, failed, seconds: (performance.now() - started) / 1000 };
}

/** Sends at a fixed rate, answered or not; each waits from its due time. */
export async function pace(url: string, next: () => Letter, perSecond: number, seconds: number): Promise<Outcome> {
  const free = Array.from({ length: CONNECTIONS }, () => new Line(new URL(url)));
  const lines = [...free];
  const due: number[] = [];
  const latencies: number[] = [];
  const total = perSecond * seconds;
  const started = performance.now();
  let [sent, failed] = [0, 0];
  await new Promise<void>((resolve) => {
    const carry = async (line: Line, at: number): Promise<void> => {
      if (await line.post(next())) latencies.push(performance.now() - at);
      else failed += 1;
      free.push(line);
      if (latencies.length + failed === total) resolve();
      else send();
    };
    const send = (): void => {
      while (due.length > 0 && free.length > 0) {
        const [line, at] = [free.pop(), due.shift()];
        if (line !== undefined && at !== undefined) void carry(line, at);
      }
    };
    const tick = setInterval(() => {
      const shouldBe = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
      for (; sent < shouldBe; sent += 1) due.push(started + (sent * 1000) / perSecond);
      if (sent === total) clearInterval(tick);
      send();
    }, 1);
  });
  for (const line of lines) line.close();
  return { latencies, failed, seconds: (performance.now() - started) / 1000 };
}
