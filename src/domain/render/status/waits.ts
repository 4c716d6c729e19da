import type { HoldTopic, WaitReason } from '../../action/action.js';
import type { Instant } from '../../issue/instant.js';

/** What a run waits for, as shown to people. */
export type WaitTopic = Exclude<WaitReason, 'not-driven' | 'rest' | 'lease' | 'takeover' | 'hold'> | HoldTopic;

/** How a wait ends. */
export type WaitEnd =
  /** At a known time, or when somebody acts. */
  | 'moment'
  /** When something happens. After a known time, a person is asked instead. */
  | 'deadline'
  /** When something happens that GitHub reports, without a time limit. */
  | 'event'
  /** When something happens that nobody reports, so Sluice checks regularly. */
  | 'rounds';

interface WaitText {
  /** To be read after “Waiting for”. */
  readonly what: string;
  /** What follows, and what a person can do about it. */
  readonly help: string;
  readonly end: WaitEnd;
}

/** Every wait, as described in the status comment and docs/stuck.md. */
export const WAITS: Readonly<Record<WaitTopic, WaitText>> = {
  checks: {
    what: 'checks',
    help: 'Once they are green, the review starts. If one turns red that the base branch requires or `checks` in `.github/sluice.yml` lists, Sluice works on it.',
    end: 'deadline',
  },
  mergeability: {
    what: 'GitHub',
    help: 'GitHub usually reports this within seconds. You do not have to do anything.',
    end: 'deadline',
  },
  objection: {
    what: 'a person to look at the pull request again',
    help: 'Only that review holds the merge back.',
    end: 'event',
  },
  approval: {
    what: 'an approval',
    help: 'Approve the pull request, or ask for changes there.',
    end: 'event',
  },
  person: {
    what: 'a person to act on the pull request',
    help: 'Sluice has done its part.',
    end: 'event',
  },
  merge: {
    what: 'the next try to merge',
    help: 'If GitHub keeps refusing, Sluice asks for a person.',
    end: 'moment',
  },
  line: {
    what: 'its turn',
    help: 'The operator of this Sluice sets how many (`SLUICE_STARTS_PER_HOUR`).',
    end: 'moment',
  },
  crashes: {
    what: 'the end of a pause after crashes',
    help: 'This says nothing about the issue. The operator of Sluice finds the cause in its log.',
    end: 'moment',
  },
  batch: {
    what: 'the issue before it in its batch',
    help: 'It begins when that one is done or has stopped. To begin at once, run `/auto stop` and `/auto continue` here.',
    end: 'rounds',
  },
  'open-pulls': {
    what: 'an open pull request to be merged or closed',
    help: 'Merge or close one of them to make room. The operator of this Sluice sets how many (`SLUICE_OPEN_PULLS`).',
    end: 'rounds',
  },
  quota: {
    what: 'the usage limit of the model’s account to pass',
    help: 'There is nothing to do on this issue.',
    end: 'moment',
  },
  provider: {
    what: 'the model’s API to answer again',
    help: 'There is nothing to do on this issue.',
    end: 'moment',
  },
  credential: {
    what: 'the credential for the model to be put right',
    help: 'Only the operator of this Sluice can do that. Work goes on by itself after it.',
    end: 'moment',
  },
  budget: {
    what: 'the next day’s budget',
    help: 'The operator of this Sluice sets what a day may cost.',
    end: 'moment',
  },
  slots: {
    what: 'an agent to become free',
    help: 'There is nothing for you to do.',
    end: 'moment',
  },
  'github-limit': {
    what: 'GitHub’s limit on requests to pass',
    help: 'There is nothing to do on this issue.',
    end: 'moment',
  },
  config: {
    what: '`.github/sluice.yml` to be corrected',
    help: 'Nothing starts and nothing lands while nobody can tell which rules this repository has. Correct the file on the base branch: then work goes on by itself.',
    end: 'rounds',
  },
  'kill-switch': {
    what: 'Sluice to be switched on again',
    help: 'Work goes on by itself after that: within seconds for the whole service, within ten minutes where `.github/sluice.yml` is changed.',
    end: 'moment',
  },
};

/** A wait, as facts for the comment. */
export interface WaitView {
  readonly topic: WaitTopic;
  /** To be read after “Waiting for”. */
  readonly what: string;
  readonly because: string;
  /** When Sluice continues, or for a `deadline` when it asks a person instead. */
  readonly until: Instant | null;
  /** It ends in less than a minute, but another wait may follow. */
  readonly isSoonOver: boolean;
}

/** What the run is about to do, as shown to people. */
export type Activity =
  | { readonly kind: 'waits'; readonly wait: WaitView }
  /** Checks and the review right after them. They change too quickly to be shown one by one. */
  | { readonly kind: 'checks-and-review' }
  /** An agent works, or is about to. */
  | { readonly kind: 'works' };
