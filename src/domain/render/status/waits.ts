import type { HoldTopic, WaitAction, WaitReason } from '../../action/action.js';
import { judgeChecks, headSince, announceChecksFrom } from '../../decide/checks-verdict.js';
import { currentPull, isDone, isPullUnread, currentPhase, stateOf } from '../../state/evidence.js';
import type { DecisionInput } from '../../decide/decision-input.js';
import type { Policy } from '../../limits/policy.js';
import type { IssueSnapshot } from '../../state/snapshot.js';
import type { Instant } from '../../state/state.js';
import { nextStep } from '../../decide/next-step.js';

/** What a run waits for that people are told about. */
export type WaitTopic = Exclude<WaitReason, 'not-driven' | 'rest' | 'lease' | 'takeover' | 'hold'> | HoldTopic;

/** How a wait ends. */
export type WaitEnd =
  /** At a moment that is known, or when somebody has acted. */
  | 'moment'
  /** When something has happened; at a moment that is known a person is asked instead. */
  | 'deadline'
  /** When something has happened that GitHub reports, for however long it takes. */
  | 'event'
  /** When something has happened that nobody reports. */
  | 'rounds';

interface WaitText {
  /** To be read after “Waiting for”. */
  readonly what: string;
  /** What follows, and what a person can do about it. */
  readonly help: string;
  readonly end: WaitEnd;
}

/** Every wait, as the status comment and docs/stuck.md tell it. */
export const WAITS: Readonly<Record<WaitTopic, WaitText>> = {
  checks: {
    what: 'checks',
    help: 'Once they are green, the review starts. If one turns red that the base branch requires or `checks` in `.github/sluice.yml` lists, Sluice works on it.',
    end: 'deadline',
  },
  mergeability: {
    what: 'GitHub',
    help: 'GitHub usually tells this within seconds. There is nothing for you to do.',
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
    help: 'Whoever runs this Sluice sets how many (`SLUICE_STARTS_PER_HOUR`).',
    end: 'moment',
  },
  crashes: {
    what: 'the end of a pause after crashes',
    help: 'This says nothing about the issue. Whoever runs Sluice finds the cause in its log.',
    end: 'moment',
  },
  batch: {
    what: 'the issue before it in its batch',
    help: 'It begins when that one is done or has stopped. To begin at once, run `/auto stop` and `/auto continue` here.',
    end: 'rounds',
  },
  'open-pulls': {
    what: 'an open pull request to be merged or closed',
    help: 'Merge or close one of them to make room. Whoever runs this Sluice sets how many (`SLUICE_OPEN_PULLS`).',
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
    help: 'Only whoever runs this Sluice can do that. Work goes on by itself after it.',
    end: 'moment',
  },
  budget: {
    what: 'the next day’s budget',
    help: 'Whoever runs this Sluice sets what a day may cost.',
    end: 'moment',
  },
  slots: {
    what: 'an agent to become free',
    help: 'There is nothing for you to do.',
    end: 'moment',
  },
  lane: {
    what: 'another issue of this repository',
    help: 'It goes on as soon as that one is through.',
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
  /** When Sluice goes on, or for a `deadline` when it asks for a person instead. */
  readonly until: Instant | null;
  /** It is over in less than a minute, but something else may come after it. */
  readonly isSoonOver: boolean;
}

/** What the run is about to do, as far as people are told. */
export type Activity =
  | { readonly kind: 'waits'; readonly wait: WaitView }
  /** Checks, and the review right after them: which of them it is just now changes too soon to be told. */
  | { readonly kind: 'checks-and-review' }
  /** An agent works, or is about to. */
  | { readonly kind: 'works' };

/** Waits that end sooner are over before anybody has read of them. */
const SHORT_MS = 60_000;

/** Told however long they take: what they wait for may well last. */
const LASTING: readonly WaitTopic[] = ['quota', 'credential', 'budget', 'kill-switch'];

/** What a run is doing, from the very rules that decide about it. */
export function activityOf(snapshot: IssueSnapshot, policy: Policy): Activity {
  const { run, halt } = stateOf(snapshot);
  if (run === null || halt !== null || isDone(snapshot)) return { kind: 'works' };
  const input: DecisionInput = { snapshot, policy, now: snapshot.readAt };
  const action = nextStep(input);
  const wait = action.kind === 'wait' ? waitView(input, action) : null;
  if (wait !== null) return { kind: 'waits', wait };
  const isWorking = action.kind === 'wait' && (action.on === 'lease' || action.on === 'takeover');
  if (currentPhase(snapshot) !== 'review' || isWorking) return { kind: 'works' };
  const pull = currentPull(snapshot);
  const isFresh =
    action.kind === 'wait' || (pull !== null && snapshot.readAt < announceChecksFrom(snapshot, pull, policy));
  return { kind: isFresh ? 'checks-and-review' : 'works' };
}

/** `null`: not worth telling, or none of ours to tell. */
function waitView(input: DecisionInput, action: WaitAction): WaitView | null {
  const topic = topicOf(action);
  if (topic === null) return null;
  const { because, until = null } = action;
  const view = { topic, what: action.what ?? WAITS[topic].what, because, isSoonOver: false };
  switch (WAITS[topic].end) {
    case 'event':
    case 'rounds':
      // When it is looked at next moves with every look.
      return { ...view, until: null };
    case 'deadline':
      return topic === 'checks' ? checksWait(input, view) : silenceWait(input, view);
    case 'moment': {
      const isSoonOver = until !== null && until <= input.now + SHORT_MS;
      if (isSoonOver && !LASTING.includes(topic)) return null;
      return { ...view, until: isSoonOver ? null : until, isSoonOver };
    }
  }
}

function topicOf({ on, hold }: WaitAction): WaitTopic | null {
  switch (on) {
    case 'not-driven':
    case 'rest':
    case 'lease':
    case 'takeover':
      return null;
    case 'hold':
      return hold ?? null;
    default:
      return on;
  }
}

type WaitWithoutEnd = Omit<WaitView, 'until'>;

/** So many are named; with more, every one that ends would be an edit of the comment. */
const MOST_NAMED = 3;

function checksWait({ snapshot, policy, now }: DecisionInput, view: WaitWithoutEnd): WaitView | null {
  const pull = currentPull(snapshot);
  if (pull === null || now < announceChecksFrom(snapshot, pull, policy)) return null;
  const checks = judgeChecks(pull, policy, { since: headSince(snapshot, pull) ?? now, now });
  if (checks.kind !== 'pending') return null;
  const named = checks.names.map((name) => `\`${name.replaceAll(/[`\n]/g, "'")}\``).join(', ');
  const which = checks.names.length <= MOST_NAMED ? named : `more than ${MOST_NAMED} checks`;
  const verb = checks.names.length === 1 ? 'has' : 'have';
  const because = `${which} ${verb} not finished on ${pull.head.slice(0, 7)} in #${pull.number}`;
  return { ...view, what: `checks on #${pull.number}`, because, until: checks.until };
}

/** Told once it has been written down since when. */
function silenceWait({ snapshot, policy, now }: DecisionInput, view: WaitWithoutEnd): WaitView | null {
  const { silence } = stateOf(snapshot);
  const isAboutThis =
    silence?.about === 'pull'
      ? isPullUnread(snapshot)
      : silence?.head === currentPull(snapshot)?.head || silence?.head === snapshot.workHead;
  if (silence === null || !isAboutThis || now >= silence.since + policy.silenceMs) return null;
  return { ...view, until: silence.since + policy.silenceMs };
}
