import { shortOid } from '../issue/ids.js';
import type { Action, WaitAction } from '../action/action.js';
import { currentPull, isPullUnread, isRunning, currentPhase, stateOf } from '../state/evidence.js';
import type { StatusFacts } from '../render/status/status-view.js';
import { type Activity, WAITS, type WaitTopic, type WaitView } from '../render/status/waits.js';
import { announceChecksFrom, headSince, judgeChecks, otherRedChecks } from './checks-verdict.js';
import type { DecisionInput } from './decision-input.js';
import { nextStep } from './next-step.js';

/** Shorter waits are not shown: they are over before anybody reads about them. */
const SHORT_MS = 60_000;

/** Always shown, because these waits often last longer than announced. */
const LASTING: readonly WaitTopic[] = ['quota', 'credential', 'budget', 'kill-switch'];

/** What the status comment shows of the decision, computed by the same rules. `upcoming` is the next step. */
export function statusFacts(input: DecisionInput, upcoming = nextStep(input)): StatusFacts {
  const pull = currentPull(input.snapshot);
  return {
    activity: activityOf(input, upcoming),
    otherRed: pull?.state === 'open' ? otherRedChecks(pull, input.policy) : [],
  };
}

function activityOf(input: DecisionInput, action: Action): Activity {
  const { snapshot, policy, now } = input;
  if (!isRunning(snapshot)) return { kind: 'works' };
  const wait = action.kind === 'wait' ? waitView(input, action) : null;
  if (wait !== null) return { kind: 'waits', wait };
  const isWorking = action.kind === 'wait' && (action.on === 'lease' || action.on === 'takeover');
  if (currentPhase(snapshot) !== 'review' || isWorking) return { kind: 'works' };
  const pull = currentPull(snapshot);
  const isFresh = action.kind === 'wait' || (pull !== null && now < announceChecksFrom(snapshot, pull, policy));
  return { kind: isFresh ? 'checks-and-review' : 'works' };
}

/** `null` when the wait is not shown. */
function waitView(input: DecisionInput, action: WaitAction): WaitView | null {
  const topic = topicOf(action);
  if (topic === null) return null;
  const { because, until = null } = action;
  const view = { topic, what: action.what ?? WAITS[topic].what, because, isSoonOver: false };
  switch (WAITS[topic].end) {
    case 'event':
    case 'rounds':
      // The time of the next check changes with every check, so it is not shown.
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

/** How many checks are named. With more, each check that ends would cause an edit of the comment. */
const MOST_NAMED = 3;

function checksWait({ snapshot, policy, now }: DecisionInput, view: WaitWithoutEnd): WaitView | null {
  const pull = currentPull(snapshot);
  if (pull === null || now < announceChecksFrom(snapshot, pull, policy)) return null;
  const checks = judgeChecks(pull, policy, { since: headSince(snapshot, pull) ?? now, now });
  if (checks.kind !== 'pending') return null;
  const named = checks.names.map((name) => `\`${name.replaceAll(/[`\n]/g, "'")}\``).join(', ');
  const which = checks.names.length <= MOST_NAMED ? named : `more than ${MOST_NAMED} checks`;
  const verb = checks.names.length === 1 ? 'has' : 'have';
  const because = `${which} ${verb} not finished on ${shortOid(pull.head)} in #${pull.number}`;
  return { ...view, what: `checks on #${pull.number}`, because, until: checks.until };
}

/** Shown once the state records since when GitHub has been silent. */
function silenceWait({ snapshot, policy, now }: DecisionInput, view: WaitWithoutEnd): WaitView | null {
  const { silence } = stateOf(snapshot);
  const isAboutThis =
    silence?.about === 'pull'
      ? isPullUnread(snapshot)
      : silence?.head === currentPull(snapshot)?.head || silence?.head === snapshot.workHead;
  if (silence === null || !isAboutThis || now >= silence.since + policy.silenceMs) return null;
  return { ...view, until: silence.since + policy.silenceMs };
}
