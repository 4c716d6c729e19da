import { matchesPattern } from '../resources/protection/ref-pattern.js';
import type { CheckConclusion, Oid } from '../world/model.js';

/** What is known of a job when it is about to start. */
export interface CiFacts {
  /** `owner/name`. */
  readonly repository: string;
  readonly job: string;
  readonly branch: string;
  readonly oid: Oid;
  /** Of the head commit. */
  readonly message: string;
  /** Files the head commit changes against its first parent. */
  readonly paths: readonly string[];
  /** 1 for the first time on this head, more after each re-request. */
  readonly attempt: number;
}

/** All that is given must hold. */
export interface CiMatch {
  readonly job?: string;
  /** A branch or a pattern like `sluice/*`. */
  readonly branch?: string;
  /** Part of the head commit's message. */
  readonly message?: string;
  /** Part of a changed file's path. */
  readonly path?: string;
}

export type CiOutcome =
  /** Really run the job's command: what happens without any script. */
  | 'run'
  /** Stay queued, as when no runner ever picks the job up. */
  | 'queued-forever'
  /** End as `startup_failure` without having run anything. */
  | 'infra-failure'
  /** Fail the first time on each head, pass when re-requested. */
  | 'flaky'
  /** End like this without having run anything. */
  | CheckConclusion;

/** Decides how a job ends instead of running it. The first script that fits counts. */
export interface CiScript {
  readonly when: CiMatch | ((facts: CiFacts) => boolean);
  readonly outcome: CiOutcome;
}

export function outcomeOf(scripts: readonly CiScript[], facts: CiFacts): CiOutcome {
  return scripts.find(({ when }) => (typeof when === 'function' ? when(facts) : fits(when, facts)))?.outcome ?? 'run';
}

function fits({ job, branch, message, path }: CiMatch, facts: CiFacts): boolean {
  return (
    (job === undefined || job === facts.job) &&
    (branch === undefined || matchesPattern(branch, facts.branch)) &&
    (message === undefined || facts.message.includes(message)) &&
    (path === undefined || facts.paths.some((changed) => changed.includes(path)))
  );
}
