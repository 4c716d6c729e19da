import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { HEAD_TIMEOUT_MS } from './gate-limits.js';
import { type RunGate, takeRequest } from './take-request.js';

/** The server behind a door: it refuses connections beyond what the door may have, and ends those that say nothing. */
export function createGateServer(gate: RunGate): Server {
  const { clock, pools } = gate;
  const silent = new WeakMap<Socket, () => void>();
  const busy = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    const { socket } = request;
    silent.get(socket)?.();
    // The CLI waits for an answer before it asks again. Of requests sent ahead nobody would learn that the client went away.
    if (busy.has(socket)) {
      socket.destroy();
      return;
    }
    busy.add(socket);
    response.once('finish', () => busy.delete(socket));
    takeRequest(request, response, gate).catch(() => response.destroy());
  });
  // Answers take as long as the model takes; how long a request may take is our own matter.
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
