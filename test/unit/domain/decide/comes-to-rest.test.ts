import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Action, Effect } from '../../../../src/domain/action/action.js';
import { landedCommit, stateOf } from '../../../../src/domain/state/evidence.js';
import { decide } from '../../../../src/domain/decide/decide.js';
import { withFixRequest } from '../../../../src/domain/state/fix-request.js';
import type { AgentPhase } from '../../../../src/domain/issue/phase.js';
import { type Size, SIZES } from '../../../../src/domain/issue/size.js';
import type { IssueSnapshot } from '../../../../src/domain/state/snapshot.js';
import type { IssueState } from '../../../../src/domain/state/state.js';
import {
  check,
  NOW,
  OID,
  POLICY,
  projected,
  pull,
  snapshot,
  SPEC,
  state,
  triage,
} from '../../../support/domain/snapshot-fixture.js';

/* The loop as a whole, with a model and a GitHub that do whatever they like: it always comes to rest. */

/** What the outside does next, whenever something depends on it. */
interface Fate {
  readonly phase: 'good' | 'bad' | 'failed' | 'never';
  readonly checks: 'green' | 'red' | 'pending';
  /** Whether the base branch requires them. */
  readonly required: boolean;
  readonly mergeable: 'yes' | 'conflict' | 'unknown';
  /** Whether GitHub shows on the pull request what was pushed. */
  readonly shown: boolean;
  readonly merge: 'merged' | 'refused';
  readonly size: Size;
}

const fates: fc.Arbitrary<Fate> = fc.record({
  phase: fc.constantFrom('good', 'good', 'bad', 'failed'),
  checks: fc.constantFrom('green', 'green', 'red', 'pending'),
  required: fc.boolean(),
  mergeable: fc.constantFrom('yes', 'yes', 'yes', 'conflict', 'unknown'),
  shown: fc.constantFrom(true, true, true, false),
  merge: fc.constantFrom('merged', 'refused'),
  size: fc.constantFrom(...SIZES),
});

const ASKED = { at: NOW, phase: 'issue', because: 'ada asked for it' } as const;

const checkOf = ({ checks: outcome, required }: Fate) => check({ outcome, required });

/** What has changed when somebody looks again: whatever GitHub is still working out, or has not shown yet. */
function later(seen: IssueSnapshot, fate: Fate): IssueSnapshot {
  if (seen.pull === null || seen.pull.state !== 'open' || seen.workHead === null) return seen;
  const head = fate.shown ? seen.workHead : seen.pull.head;
  return {
    ...seen,
    pull: { ...seen.pull, head, mergeable: fate.mergeable, checks: [checkOf(fate)] },
  };
}

/** More than all counters together allow: whoever gets here goes round in circles. */
const MANY = 4_000;

const withState = (seen: IssueSnapshot, next: IssueState): IssueSnapshot => ({
  ...seen,
  reading: { kind: 'valid', state: next, oid: OID.other },
});

let heads = 0;
const newHead = (): string => (heads += 1).toString(16).padStart(40, '0');

function outcome(seen: IssueSnapshot, phase: AgentPhase, fate: Fate): IssueSnapshot {
  const charged = stateOf(seen);
  const counters = {
    ...charged.counters,
    agentRuns: charged.counters.agentRuns + 1,
    failures: charged.counters.failures + 1,
  };
  const before: IssueState = { ...charged, counters };
  if (fate.phase === 'failed') return withState(seen, before);
  const done = (progress: Partial<IssueState['progress']>, more: Partial<IssueSnapshot> = {}): IssueSnapshot => ({
    ...withState(seen, {
      ...before,
      counters: { ...counters, failures: 0 },
      progress: { ...before.progress, ...progress },
    }),
    ...more,
  });
  switch (phase) {
    case 'issue':
      return done({ triage: triage(fate.size) });
    case 'spec':
      return done({ spec: SPEC });
    case 'code': {
      const head = newHead();
      const patch = seen.pull === null && (seen.labels.includes('size/XS') || seen.labels.includes('size/S'));
      if (patch)
        return done({ landed: { oid: head, at: NOW }, fix: null }, { base: { ...seen.base, head, holdsLanded: true } });
      const facts = {
        head: fate.shown ? head : (seen.pull?.head ?? head),
        checks: [checkOf(fate)],
        mergeable: fate.mergeable,
      };
      const open = seen.pull === null || seen.pull.state !== 'open' ? seen.pull : pull({ ...seen.pull, ...facts });
      return done(
        { pushed: { head, base: OID.base, summary: '', at: NOW }, fix: null },
        { workHead: head, pull: open },
      );
    }
    case 'review': {
      const verdict = fate.phase === 'good' ? 'pass' : 'fix';
      const findings = [{ severity: 'MUST' as const, file: 'a', line: 1, text: 'x' }];
      return done({ review: { head: seen.pull?.head ?? '', verdict, findings, score: 1, summary: '' } });
    }
    case 'verify': {
      const results = [
        { id: 'c1', verdict: fate.phase === 'good' ? ('PASS' as const) : ('FAIL' as const), evidence: '' },
      ];
      return done({ verify: { oid: landedCommit(seen)?.oid ?? '', results } });
    }
  }
}

function effected(seen: IssueSnapshot, effect: Effect, fate: Fate): IssueSnapshot {
  switch (effect.kind) {
    case 'project':
      return projected(seen);
    case 'request-fix':
      return withState(seen, withFixRequest(seen, effect.fix));
    case 'note-silence':
      return withState(seen, { ...stateOf(seen), silence: effect.silence });
    case 'note-head':
      return withState(seen, { ...stateOf(seen), shownHead: effect.shown });
    case 'go-to':
    case 'use-base':
    case 'use-pull':
      throw new Error('nobody asked for that');
    case 'finish':
      return withState(seen, { ...stateOf(seen), progress: { ...stateOf(seen).progress, done: landedCommit(seen) } });
    case 'open-pr': {
      const number = (seen.pull?.number ?? 11) + 1;
      const head = fate.shown ? effect.head : OID.other;
      return {
        ...seen,
        pull: pull({ number, head, checks: [checkOf(fate)], mergeable: fate.mergeable }),
      };
    }
    case 'merge': {
      const { counters } = stateOf(seen);
      const tried = withState(seen, {
        ...stateOf(seen),
        counters: { ...counters, mergeTries: counters.mergeTries + 1 },
      });
      if (fate.merge === 'refused' || seen.pull === null) return tried;
      return { ...tried, pull: { ...seen.pull, state: 'merged', mergeCommit: newHead(), mergedAt: NOW } };
    }
  }
}

test('an issue always comes to rest, whatever the model and GitHub do', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fates), fc.option(fates), (stream, always) => {
      // Whoever asked for the run is in its story.
      let seen = withState(snapshot(state()), { ...stateOf(snapshot(state())), transitions: [ASKED] });
      let now = NOW;
      for (let step = 0; step < MANY; step += 1) {
        const action: Action = decide(seen, POLICY, now);
        // A fate that never changes is what turns a loop without a bound into an endless one.
        const fate = always ?? stream.next().value;
        if (action.kind === 'wait' && action.on === 'rest') return;
        // A red check that nobody requires is left to people, for as long as it stays red.
        if (action.kind === 'wait' && action.on === 'person' && always !== null) return;
        if (action.kind === 'wait') {
          // Every wait says until when, and something else is so by then.
          expect(action.until).toBeGreaterThan(now);
          now = action.until ?? now;
          seen = later({ ...seen, readAt: now }, fate);
          continue;
        }
        if (action.kind === 'halt')
          seen = withState(seen, {
            ...stateOf(seen),
            halt: { state: action.state, code: action.code, because: action.because },
          });
        else if (action.kind === 'run') seen = outcome(seen, action.phase, fate);
        else seen = effected(seen, action.effect, fate);
      }
      throw new Error('it goes round in circles');
    }),
    { numRuns: 300 },
  );
});
