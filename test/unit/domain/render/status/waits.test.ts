import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../src/domain/decide/decide.js';
import type { WaitTopic } from '../../../../../src/domain/render/status/waits.js';
import { expectApprovedText } from '../../../../support/domain/approved-text.js';
import { type StatusExample, STATUS_EXAMPLES, WAIT_EXAMPLES } from '../../../../support/domain/status-examples.js';
import {
  check,
  minute,
  OID,
  POLICY,
  projected,
  pull,
  snapshot,
  SPEC,
  state,
  triage,
} from '../../../../support/domain/snapshot-fixture.js';
import { commentsOf } from '../../../../support/domain/rendered.js';

const TOPICS = Object.keys(WAIT_EXAMPLES) as WaitTopic[];

const statusOf = ({ snapshot: seen, policy }: StatusExample): string =>
  commentsOf(seen, policy).find(({ slot }) => slot === 'status')?.body ?? '';

describe('while a run waits', () => {
  test.each(TOPICS)('for %s the status comment says so, why, and when it goes on', (topic) => {
    const status = statusOf(WAIT_EXAMPLES[topic]);
    expect(status).toMatch(/^<!-- sluice:status -->\n### Waiting for \S/);
    expect(status).not.toContain('Working');
    expectApprovedText(`waits/${topic}`, status);
  });

  test.each(TOPICS)('for %s the decision is that wait, and looking again changes nothing', (topic) => {
    const { snapshot: seen, policy } = WAIT_EXAMPLES[topic];
    const shown = projected(seen, policy);
    const later = { ...shown, readAt: shown.readAt + 20_000 };
    expect(decide(shown, policy, shown.readAt)).toMatchObject({ kind: 'wait' });
    expect(decide(later, policy, later.readAt)).toMatchObject({ kind: 'wait' });
  });
});

test('checks that are quick cost no edit: one text serves until the review has begun', () => {
  const at = (seconds: number, outcome: 'pending' | 'green') =>
    snapshot(
      state(
        {
          triage: triage('M'),
          spec: SPEC,
          pushed: { head: OID.head, base: OID.base, summary: 'It grows.', at: minute(10) },
        },
        {},
      ),
      {
        readAt: minute(10) + seconds * 1_000,
        pull: pull({ checks: [check({ outcome })] }),
        workHead: OID.head,
        labels: ['size/M'],
      },
    );
  const first = statusOf({ snapshot: at(5, 'pending'), policy: POLICY });
  expect(first).not.toContain('Working');
  expect(statusOf({ snapshot: at(40, 'green'), policy: POLICY })).toBe(first);
  expect(statusOf({ snapshot: at(70, 'pending'), policy: POLICY })).toContain('### Waiting for checks on #12');
  expect(statusOf({ snapshot: at(300, 'green'), policy: POLICY })).toContain('### Working: review');
});

test('which checks are waited for is said while there are few, and how many are done costs no edit', () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => check({ name: `job-${at}`, outcome: 'pending' }));
  const waiting = (count: number) => {
    const { snapshot: seen, policy } = WAIT_EXAMPLES.checks;
    return statusOf({ snapshot: { ...seen, pull: pull({ checks: names(count) }) }, policy });
  };
  expect(waiting(2)).toContain('`job-0`, `job-1` have not finished');
  expect(waiting(9)).toBe(waiting(12));
});

test('a stop says why once in the status comment and once in the report', () => {
  const because = 'the setup command `npm ci` failed';
  const halt = { state: 'needs-human', code: 'repository-unusable', because } as const;
  const ended = { at: minute(5), phase: 'code', because, kind: 'needs-human', ms: 1_000, costUsd: 0 } as const;
  const stopped = state(
    { triage: triage('M'), spec: SPEC },
    { halt, transitions: [ended, { at: minute(5), phase: 'code', because }] },
  );
  const times = commentsOf(snapshot(stopped), POLICY).map(({ slot, body }) => [slot, body.split('npm ci').length - 1]);
  expect(Object.fromEntries(times)).toEqual({ triage: 0, spec: 0, status: 1, report: 1 });
});

test('after a resume the figures of all runs are told together, and those of this run apart', () => {
  const { snapshot: seen, policy } = STATUS_EXAMPLES.done;
  const { reading } = seen;
  if (reading.kind !== 'valid' || reading.state.run === null) throw new Error('the scene has a run');
  const resumed = { ...reading.state, run: { ...reading.state.run, startedAt: minute(20) } };
  const bodies = commentsOf({ ...seen, reading: { ...reading, state: resumed } }, policy).map(({ body }) => body);
  expect(bodies.join('\n')).toContain('in all 6 agent runs, 27 min, $2.19 of');
  expect(bodies.join('\n')).toContain('In all 6 agent runs, 27 min of work, $2.19.');
});
