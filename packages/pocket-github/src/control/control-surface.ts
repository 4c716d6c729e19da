import { z } from 'zod';
import type { Clock } from '../clock/clock.js';
import { ManualClock } from '../clock/manual-clock.js';
import { faultSchema } from '../faults/fault-schema.js';
import type { Fault } from '../faults/fault.js';
import type { FaultPlan } from '../faults/fault-plan.js';
import { readBody } from '../http/exchange.js';
import { created, json, noContent, ok, type Reply } from '../http/reply.js';
import { isControl, type Surface } from '../http/server.js';
import type { Journal } from '../journal/journal.js';
import { type PocketSnapshot, restoreSnapshot, takeSnapshot } from '../snapshots.js';
import { CONTROL_PREFIX } from '../urls.js';
import type { World } from '../world/world.js';

export interface ControlParts {
  readonly world: World;
  readonly clock: Clock;
  readonly faults: FaultPlan;
  readonly journal: Journal;
  /** Resolves when no delivery and no check is under way. */
  readonly settle: () => Promise<void>;
}

type Handler = (parts: ControlParts, body: unknown, arg: string, query: URLSearchParams) => Promise<Reply> | Reply;

const advanceBody = z.strictObject({ ms: z.number().int().positive() });

/**
 * /_pocket/…: the control API, for tests and benchmarks in other processes. Not part of GitHub and not in the
 * journal. Changes must come as JSON, which a foreign page in a browser cannot send without being asked first.
 */
export function controlSurface(parts: ControlParts): Surface {
  const snapshots: PocketSnapshot[] = [];
  const handlers = controlHandlers(snapshots);
  return {
    owns: isControl,
    serve: async (request, _response, url) => {
      const method = request.method ?? 'GET';
      const [name = '', arg = ''] = url.pathname.slice(CONTROL_PREFIX.length + 1).split('/');
      const handler = handlers.get(`${method} ${name}`);
      const raw = await readBody(request);
      if (handler === undefined)
        return reply(json(404, { message: `There is no ${method} ${CONTROL_PREFIX}/${name}` }));
      if (method !== 'GET' && !(request.headers['content-type'] ?? '').startsWith('application/json')) {
        return reply(json(415, { message: 'Send application/json' }));
      }
      try {
        return reply(
          await handler(parts, raw.length === 0 ? {} : JSON.parse(raw.toString('utf8')), arg, url.searchParams),
        );
      } catch (error) {
        if (error instanceof z.ZodError) return reply(json(422, { message: z.prettifyError(error) }));
        if (error instanceof SyntaxError) return reply(json(400, { message: 'Problems parsing JSON' }));
        throw error;
      }
    },
  };
}

const reply = (answer: Reply) => ({ kind: 'reply', reply: answer }) as const;

function controlHandlers(snapshots: PocketSnapshot[]): ReadonlyMap<string, Handler> {
  return new Map<string, Handler>([
    [
      'GET journal',
      ({ journal }, _body, _arg, query) =>
        ok({ dropped: journal.dropped(), entries: journal.entries(Number(query.get('after') ?? 0)) }),
    ],
    ['GET load', ({ journal }) => ok(journal.secondaryLoads())],
    ['GET faults', ({ faults }) => ok(faults.list())],
    ['POST faults', ({ faults }, body) => created({ id: faults.arm(faultSchema.parse(body) as Fault) })],
    ['DELETE faults', ({ faults }, _body, arg) => removeFaults(faults, arg)],
    ['GET clock', ({ clock }) => ok({ now: clock.now(), manual: clock instanceof ManualClock })],
    ['POST clock', ({ clock }, body) => advance(clock, body)],
    ['POST settle', async ({ settle }) => settle().then(noContent)],
    [
      'POST snapshots',
      async ({ world }, _body, arg) => {
        if (arg === '') return created({ id: snapshots.push(await takeSnapshot(world)) });
        const snapshot = snapshots[Number(arg) - 1];
        if (snapshot === undefined) return json(404, { message: `There is no snapshot ${arg}` });
        await restoreSnapshot(world, snapshot);
        return noContent();
      },
    ],
  ]);
}

function removeFaults(faults: FaultPlan, id: string): Reply {
  if (id === '') {
    faults.clear();
    return noContent();
  }
  return faults.disarm(Number(id)) ? noContent() : json(404, { message: `There is no fault ${id}` });
}

function advance(clock: Clock, body: unknown): Reply {
  if (!(clock instanceof ManualClock))
    return json(409, { message: 'This Pocket GitHub runs on the real clock; start it with --manual-clock' });
  clock.advance(advanceBody.parse(body).ms);
  return ok({ now: clock.now() });
}
