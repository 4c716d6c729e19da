import { beforeEach, expect, test } from '@jest/globals';
import { type HaltCode, HALT_CODES } from '../../../src/domain/issue/halt-codes.js';
import type { GitHub, RawSnapshot } from '../../../src/ports/github.js';
import { type Clone, OffLimitsError, type Workspace, WorkspaceError } from '../../../src/ports/workspace.js';
import { agentAnswering } from '../../support/agent/answering-agent.js';
import type { EngineHarness, EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';
import { afterCodeRun } from '../../support/github/interleaving.js';

/* Stops whose cause lies outside the issue: once it is gone, what the text says to do brings the issue to its end. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
const trouble = { lasts: true };
beforeEach(() => {
  trouble.lasts = true;
});

/** Drives an issue until it stops, and sees that it is the stop that is meant. */
async function stopped(code: HaltCode, options: EngineHarnessOptions, minutes = 1): Promise<EngineHarness> {
  const harness = await open(options);
  await harness.open('ada');
  await harness.say('wren', 1, '/auto');
  for (let round = 0; round < 120 && (await harness.state(1)).halt === null; round += 1) {
    p.clock.advance(minutes * 60_000);
    await harness.finish();
  }
  expect((await harness.state(1)).halt?.code).toBe(code);
  expect(await harness.labels(1)).toContain('auto/needs-human');
  return harness;
}

/** Does what the text says, word for word, once the cause is gone. */
async function goesOn(
  harness: EngineHarness,
  code: HaltCode,
  command: string,
  says: string,
  who: Person = 'wren',
): Promise<void> {
  expect(HALT_CODES[code].remedy).toContain(says);
  trouble.lasts = false;
  await harness.say(who, 1, command);
  await harness.finish();
  expect(await harness.labels(1)).toContain('phase/done');
}

/** A workspace in which something goes wrong. */
const workspace =
  (change: (clone: Clone) => Clone) =>
  (usual: Workspace): Workspace => ({ open: async (request) => change(await usual.open(request)) });

test('provider-unavailable: `/auto continue` once it is back', async () => {
  const agent = agentAnswering(
    () => p,
    'code',
    { kind: 'provider-down', why: 'no answer' },
    () => trouble.lasts,
  );
  const harness = await stopped('provider-unavailable', { agent }, 60);
  await goesOn(harness, 'provider-unavailable', '/auto continue', 'run `/auto continue` once it is back');
});

test('repository-unusable: `/auto` again after what the reason says', async () => {
  const broken = (usual: Workspace): Workspace => ({
    open: (request) => {
      if (trouble.lasts) throw new WorkspaceError('setup-failed', 'The setup command failed.', 'Correct it.');
      return usual.open(request);
    },
  });
  const harness = await stopped('repository-unusable', { workspace: broken });
  await goesOn(harness, 'repository-unusable', '/auto', 'run `/auto` again');
});

test('off-limits: `/auto continue TEXT` says how to do without it', async () => {
  const refusing = workspace((clone) => ({
    ...bound(clone),
    collect: (...args) => {
      return trouble.lasts
        ? clone.collect(...args).then((oid) => Promise.reject(new OffLimitsError(oid ?? '', ['CODEOWNERS'])))
        : clone.collect(...args);
    },
  }));
  const harness = await stopped('off-limits', { workspace: refusing });
  await goesOn(harness, 'off-limits', '/auto continue Leave the workflow alone.', '/auto continue TEXT');
});

test('result-refused: `/auto continue TEXT` says how to do it otherwise', async () => {
  const refusing = workspace((clone) => ({
    ...bound(clone),
    collect: async (...args) => {
      if (trouble.lasts) throw new WorkspaceError('refused-result', 'The bundle is too large.', '');
      return clone.collect(...args);
    },
  }));
  const harness = await stopped('result-refused', { workspace: refusing });
  await goesOn(harness, 'result-refused', '/auto continue Without the films.', '`/auto continue TEXT`');
});

test('limits: `/auto continue` once the limit was raised, and the reason names it', async () => {
  const why = 'It took 5,120 MB of memory; 4,096 are allowed (SLUICE_SANDBOX_MEMORY_MB).';
  const agent = agentAnswering(
    () => p,
    'code',
    { kind: 'failed', cause: 'limits', why },
    () => trouble.lasts,
  );
  const harness = await stopped('limits', { agent });
  // Trying again would change nothing: it was paid for once.
  expect((await harness.state(1)).halt?.because).toBe(why);
  await goesOn(harness, 'limits', '/auto continue', 'then `/auto continue` goes on');
});

test('limits: a setup that takes too much asks for a person at once', async () => {
  const greedy = (usual: Workspace): Workspace => ({
    open: (request) => {
      if (trouble.lasts) throw new WorkspaceError('limits', 'The setup command was stopped.', 'Do with less.');
      return usual.open(request);
    },
  });
  const harness = await stopped('limits', { workspace: greedy });
  await goesOn(harness, 'limits', '/auto continue Do with less.', '`/auto continue TEXT` goes on from there');
});

test('authoriser-gone: somebody else with write permission goes on in their own name', async () => {
  const leave = () => p.rest('ada').rest.repos.removeCollaborator({ ...p.at, username: 'wren' });
  const harness = await stopped('authoriser-gone', { agent: afterCodeRun(1, leave) });
  await goesOn(harness, 'authoriser-gone', '/auto continue', 'in their own name with `/auto continue`', 'ada');
  expect((await harness.state(1)).run?.by.login).toBe('ada');
});

test('head-not-shown: `/auto continue` when the pull request shows it', async () => {
  const behind = (raw: RawSnapshot): RawSnapshot =>
    trouble.lasts ? { ...raw, pulls: raw.pulls.map((pull) => ({ ...pull, head: 'f'.repeat(40) })) } : raw;
  const github = (usual: GitHub): GitHub =>
    new Proxy(usual, {
      get: (host, name: keyof GitHub) => {
        const call = (host[name] as (...args: unknown[]) => Promise<unknown>).bind(host);
        if (name !== 'snapshot' && name !== 'project' && name !== 'openPull') return call;
        return async (...args: unknown[]) => {
          const raw = (await call(...args)) as RawSnapshot | null;
          return raw === null ? null : behind(raw);
        };
      },
    });
  const harness = await stopped('head-not-shown', { size: 'M', github }, 5);
  await goesOn(harness, 'head-not-shown', '/auto continue', '`/auto continue` goes on from here');
});

/** Methods of a class do not survive being spread. */
const bound = (clone: Clone): Clone => ({
  path: clone.path,
  home: clone.home,
  mounts: clone.mounts,
  run: (...args) => clone.run(...args),
  check: (...args) => clone.check(...args),
  collect: (...args) => clone.collect(...args),
  dispose: () => clone.dispose(),
});
