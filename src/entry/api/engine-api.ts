import { isDone, stateOf } from '../../domain/completion.js';
import { formatIssue } from '../../domain/ids.js';
import { observe } from '../../usecases/observe.js';
import { previewRun } from '../../usecases/preview-run.js';
import { runReport } from '../../usecases/run-report.js';
import { start, type StartRequest } from '../../usecases/start.js';
import { requestStop } from '../../usecases/stop.js';
import type { Engine } from '../../usecases/engine.js';
import { type Api, type ApiParts, createApi } from './api.js';
import type { RunDesk } from './runs.js';

/** The API of a running engine. */
export function engineApi(engine: Engine, parts: Pick<ApiParts, 'token' | 'account'>): Api {
  const { events, clock, log } = engine;
  return createApi({ ...parts, runs: runDesk(engine), events, clock, log });
}

/** Not an account on GitHub: whoever holds the token speaks for the service. */
const NOBODY = 0;

function runDesk(engine: Engine): RunDesk {
  const { events, queue, log } = engine;
  return {
    start: async (issue, by, options) => {
      const seen = await observe(engine, issue);
      if (seen === null) return { kind: 'gone' };
      // Who is running takes no place in the line.
      const { run, halt } = stateOf(seen);
      if (run !== null && halt === null && !isDone(seen)) return { kind: 'already-running' };
      const startsAt = await engine.turns.start(issue);
      const started = await start(engine, { ...request(issue, by, options), startsAt });
      switch (started.kind) {
        case 'started':
          // It is durable: without this the next sweep finds it.
          await queue
            .wake(issue)
            .catch((error: unknown) => log.warn({ issue: formatIssue(issue), error }, 'not woken'));
          return { kind: 'started', run: stateOf(started.snapshot).run?.id ?? '', startsAt };
        case 'closed':
          return { kind: 'refused', reasons: ['The issue is closed. Reopen it first.'] };
        case 'gone':
        case 'already-running':
          return { kind: started.kind };
      }
    },
    preview: async (issue, by, options) => {
      const seen = await observe(engine, issue);
      return seen === null ? null : previewRun(engine, seen, request(issue, by, options));
    },
    stop: async (issue, by, kind) => {
      const seen = await observe(engine, issue);
      if (seen === null) return 'gone';
      const answer = await requestStop(engine, { ref: issue, kind, by, at: seen.readAt });
      return answer === 'noted' ? 'stopping' : answer;
    },
    report: async (issue) => {
      const seen = await observe(engine, issue);
      return seen === null ? null : runReport(engine, seen);
    },
    live: (issue) => events.live(issue).catch(() => null),
    runs: () => events.runs(),
  };
}

function request(ref: StartRequest['ref'], login: string, options: StartRequest['options']): StartRequest {
  // It is asked now, whatever GitHub's clock says: nothing that was heard before can be meant.
  return { ref, at: Infinity, by: { id: NOBODY, login }, options };
}
