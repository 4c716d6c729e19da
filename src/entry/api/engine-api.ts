import { stateOf } from '../../domain/state/evidence.js';
import { formatIssue } from '../../domain/issue/ids.js';
import { NOBODY } from '../../domain/state/state.js';
import { formatMoment } from '../../domain/render/phrases/figures.js';
import { refusalText } from '../../domain/render/replies/refusals.js';
import { observe } from '../../usecases/issue/observe.js';
import { previewRun } from '../../usecases/intent/preview-run.js';
import { runReport } from '../../usecases/report/run-report.js';
import { start, type StartRequest } from '../../usecases/intent/start.js';
import { requestStop } from '../../usecases/intent/request-stop.js';
import type { Engine } from '../../usecases/engine.js';
import { type Api, createApi } from './api.js';
import type { ApiAccess } from './authorise.js';
import type { RunService } from './runs.js';

/** The API of a running engine. */
export function engineApi(engine: Engine, access: ApiAccess): Api {
  const { modelAccount, events, clock, log } = engine;
  return createApi({ access, runs: createRunService(engine), account: modelAccount, events, clock, log });
}

function createRunService(engine: Engine): RunService {
  const { events, queue, log } = engine;
  return {
    start: async (issue, by, options) => {
      if (!engine.serves(issue)) return { kind: 'not-served' };
      const startsAt = () => engine.requestQuota.reserveStart(issue);
      const started = await start(engine, { ...request(issue, by, options), startsAt });
      switch (started.kind) {
        case 'started': {
          // The start is written already; without this wake the next sweep finds it.
          await queue
            .wake(issue)
            .catch((error: unknown) => log.warn({ issue: formatIssue(issue), error }, 'wake failed'));
          const { run } = stateOf(started.snapshot);
          return {
            kind: 'started',
            run: run?.id ?? '',
            startsAt: run === null || run.startsAt === 0 ? null : run.startsAt,
          };
        }
        case 'closed':
          return { kind: 'refused', reasons: ['The issue is closed. Reopen it first.'] };
        case 'text-changed':
          return { kind: 'refused', reasons: ['The issue was changed meanwhile. Read it, then ask again.'] };
        case 'still-leased':
          return {
            kind: 'refused',
            reasons: [`The last run may be at work until ${formatMoment(started.until)}. Ask again then.`],
          };
        case 'text-unvouched':
          return { kind: 'refused', reasons: [refusalText({ ...started, number: issue.number })] };
        case 'gone':
        case 'already-running':
          return { kind: started.kind };
      }
    },
    preview: (issue, by, options) => previewRun(engine, request(issue, by, options)),
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
  // Requested now: later than anything on GitHub's clock.
  return { ref, at: Infinity, by: { id: NOBODY, login }, options };
}
