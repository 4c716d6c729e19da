import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { HEAD_TIMEOUT_MS } from './gate-limits.js';
import { type RunGate, takeRequest } from './take-request.js';

/** The server of one run. It refuses connections above the limit and ends silent ones. */
export function createGateServer(gate: RunGate): Server {
  const { clock, pools } = gate;
  const silent = new WeakMap<Socket, () => void>();
  const busy = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    const { socket } = request;
    silent.get(socket)?.();
    // The CLI waits for an answer before its next request. With pipelined requests we would not notice that the client went away.
    if (busy.has(socket)) {
      socket.destroy();
      return;
    }
    busy.add(socket);
    response.once('finish', () => busy.delete(socket));
    takeRequest(request, response, gate).catch(() => response.destroy());
  });
  // An answer may take as long as the model needs; requests have our own limits.
  server.requestTimeout = 0;
  server.on('connection', (socket) => {
    if (!pools.connections.tryTake(gate, 1)) {
      gate.onRefusal('too many connections');
      socket.destroy();
      return;
    }
    const cancelTimeout = clock.at(clock.now() + HEAD_TIMEOUT_MS, () => socket.destroy());
    silent.set(socket, cancelTimeout);
    socket.once('close', () => {
      cancelTimeout();
      pools.connections.give(gate, 1);
    });
  });
  return server;
}

/** Closes it and everything that is still connected. */
export async function closeGateServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  await closed;
}
