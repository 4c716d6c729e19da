import type { Action } from '../action/action.js';
import { stateOf } from '../state/evidence.js';
import { type Oid, shortOid } from '../issue/ids.js';
import { haltAction, type DecisionInput } from './decision-input.js';
import type { Silence } from '../state/merge-notes.js';

/** GitHub usually answers before this, so the start of the wait is written down only afterwards. */
const NOTED_AFTER_MS = 60_000;
const SOONEST_MS = 5_000;
const LATEST_MS = 30_000;

const WAITS = {
  mergeability: () => 'GitHub has not decided yet whether it can be merged',
  pull: () => 'GitHub does not show the pull request of the pushed work',
  head: (head: Oid) => `GitHub does not show ${shortOid(head)} on the pull request yet`,
} as const;

const ENDS = { mergeability: 'mergeability-unknown', head: 'head-not-shown', pull: 'pull-unreadable' } as const;

/** Waits for something GitHub usually reports within seconds. Checks less and less often, and gives up after `silenceMs`. */
export function waitForGitHub({ snapshot, policy, now }: DecisionInput, about: Silence['about'], head: Oid): Action {
  const { silence, transitions } = stateOf(snapshot);
  const because = WAITS[about](head);
  const noted = silence?.about === about && silence.head === head ? silence : null;
  // An old note is ignored: GitHub computes these things on request, so a read long afterwards starts a new wait.
  const since = noted !== null && now < noted.since + 2 * policy.silenceMs ? noted.since : null;
  if (since !== null && now >= since + policy.silenceMs) return haltAction('needs-human', ENDS[about], because);
  const from = since ?? transitions.at(-1)?.at ?? now;
  if (since === null && now - from >= NOTED_AFTER_MS)
    return { kind: 'effect', effect: { kind: 'note-silence', silence: { about, head, since: now } }, because };
  const pause = Math.min(LATEST_MS, Math.max(SOONEST_MS, (now - from) / 2));
  return { kind: 'wait', on: 'mergeability', until: now + pause, because };
}
