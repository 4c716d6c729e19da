import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/* A hostile agent and a fake API in their own process, so that their memory and CPU time are not the service's. */

const MB = 1024 * 1024;
const HEAD = '{"model":"claude-opus-5-5","max_tokens":10,"messages":[{"role":"user","content":';
/** The most values that fit into the largest request. */
const BLOCKS = Buffer.from(`${HEAD}[${'{"type":"text"},'.repeat(1_900_000)}{"type":"text"}]}]}`);
const TEXT = Buffer.from(`${HEAD}"${'x'.repeat(31 * MB)}"}]}`);

interface Target {
  readonly port: number;
  readonly token: string;
}

const ATTACKS: Readonly<Record<string, (target: Target) => Promise<unknown>>> = {
  /** For comparison: the noise of a busy machine. */
  nothing: () => new Promise((resolve) => setTimeout(resolve, 3000)),
  blocks: (target) => atOnce(12, () => send(target, BLOCKS)),
  texts: (target) => atOnce(12, () => send(target, TEXT)),
  unfinished: (target) => atOnce(60, () => hold(target)),
};

const atOnce = (times: number, task: () => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: times }, task));

function send({ port, token }: Target, body: Buffer): Promise<unknown> {
  return new Promise((resolve) => {
    const asked = request({ port, method: 'POST', path: '/v1/messages', headers: { 'x-api-key': token } }, (answer) =>
      answer.resume().once('close', resolve),
    );
    asked.once('error', resolve);
    asked.end(body);
  });
}

/** Sends a request without its last byte, and stays connected until the proxy ends it. */
function hold({ port, token }: Target): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('close', resolve).on('error', () => undefined);
    socket.resume();
    socket.write(
      `POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: ${token}\r\ncontent-length: ${TEXT.length}\r\n\r\n`,
    );
    socket.write(TEXT.subarray(0, -1));
    setTimeout(() => socket.destroy(), 3000);
  });
}

const api = createServer((incoming, response) => {
  incoming.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
api.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(api.address() as AddressInfo).port}`));
process.on('message', ({ attack, ...target }: Target & { readonly attack: string }) => {
  void ATTACKS[attack]?.(target).then(() => process.send?.(attack));
});
process.once('disconnect', () => process.exit());
