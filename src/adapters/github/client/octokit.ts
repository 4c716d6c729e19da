import { Octokit } from '@octokit/rest';
import { type Redact, redactPatterns } from '../../../domain/sanitise/redact.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import type { RateLimits } from './rate-limits.js';
import { publishTexts } from './rules/published-texts.js';
import { refusalsAsErrors } from './rules/refusals-as-errors.js';
import type { Send } from './rules/rule.js';
import { sendOnce } from './rules/send-once.js';
import { withAuthorization } from './rules/with-authorization.js';
import { withinLimits } from './rules/within-limits.js';

export interface OctokitOptions {
  /** The address of the REST API. Octokit derives that of GraphQL, also on GitHub Enterprise Server. */
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Without this nothing is counted: requests of the App itself have their own limits. */
  readonly limits?: RateLimits;
  /** Removes secrets from texts. */
  readonly redact?: Redact;
}

const ignore = (): void => undefined;

/**
 * The GitHub client. It never retries or waits: Octokit's plugins for that use the machine's clock and do not know which requests may be
 * repeated. Every call passes its credential in `request`, see `RequestContext`.
 */
export function createOctokit({ apiUrl, clock, log, limits, redact = redactPatterns }: OctokitOptions): Octokit {
  const octokitLog = {
    debug: ignore,
    info: ignore,
    // Endpoints that GitHub is going to remove.
    warn: (message: string) => log.warn({ warning: message }, 'Octokit warned'),
    // The caller gets refusals as errors, and logs them.
    error: ignore,
  };
  const octokit = new Octokit({ baseUrl: apiUrl, userAgent: 'sluice', log: octokitLog, request: { log: octokitLog } });
  const rules = [
    refusalsAsErrors(clock),
    withAuthorization,
    ...(limits === undefined ? [] : [withinLimits(limits)]),
    publishTexts(redact),
    sendOnce(clock),
  ];
  octokit.hook.wrap('request', (request, options) => {
    // Octokit's hooks share this object. The rules get a copy, so that a retry starts from the original request.
    const send: Send = async (changed) => request(Object.assign(options, changed));
    return rules.reduceRight((next, rule) => (passed) => rule(next, passed), send)({ ...options });
  });
  return octokit;
}
