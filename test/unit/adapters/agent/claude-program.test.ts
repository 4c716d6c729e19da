import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ClaudeAgent } from '../../../../src/adapters/agent/claude-agent.js';
import { KeyProxy } from '../../../../src/adapters/model-gate/key-proxy.js';
import { Unsandboxed } from '../../../../src/adapters/sandbox/unsandboxed.js';
import type { AgentOutcome } from '../../../../src/domain/agent/outcome.js';
import { ManualClock } from '#pocket-github/clock';
import type { Clock } from '../../../../src/ports/clock.js';
import { MODEL, SCHEMA } from '../../../contract/suites/agent-contract.js';
import { testFolder } from '../../../support/git/git-host.js';
import { processesNaming } from '../../../support/sandbox/processes.js';
import { RecordingLog } from '../../../support/recording-log.js';
import { scratchClone } from '../../../support/agent/scratch-clone.js';

const RESULT = '{"type":"result","is_error":false,"structured_output":{"nonce":"n-1","summary":"done"}}';

/** Runs a shell script in the place of the CLI; `null` when there is to be none. */
async function runProgram(script: string | null, clock: Clock = new ManualClock()): Promise<AgentOutcome> {
  const clone = await scratchClone();
  const log = new RecordingLog();
  const claude = join(clone.home, 'claude');
  if (script !== null) await writeFile(claude, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const credential = { kind: 'api-key', value: 'sk-ant-real' } as const;
  const upstream = new URL('http://127.0.0.1:9');
  const agent = new ClaudeAgent({
    sandbox: new Unsandboxed({ clock, graceMs: 5000 }),
    gate: new KeyProxy({ credential, upstream, listen: { kind: 'loopback' }, clock, log }),
    clock,
    log,
    claude,
    plugin: clone.home,
    path: '/usr/bin:/bin',
  });
  const outcome = await agent.run({
    phase: 'code',
    phaseRun: 'run-1',
    nonce: 'n-1',
    prompt: 'Do the work.',
    schema: SCHEMA,
    clone,
    model: MODEL,
    limits: { maxTurns: 5, budgetUsd: null, capMs: 60_000 },
    signal: new AbortController().signal,
  });
  expect(processesNaming(clone.path)).toEqual([]);
  await clone.dispose();
  return outcome;
}

test('a process that goes on after its result is ended, and the result stands', async () => {
  // Time passes as soon as somebody waits, and the result has been written.
  const marker = join(await testFolder(), 'written');
  const time = { now: 0 };
  const clock: Clock = {
    now: () => time.now,
    steady: () => time.now,
    at: (moment, task) => {
      const timer = setInterval(() => {
        if (!existsSync(marker)) return;
        clearInterval(timer);
        // What was written before the marker is read first.
        setImmediate(() => {
          time.now = Math.max(time.now, moment);
          task();
        });
      }, 5);
      return () => clearInterval(timer);
    },
  };
  expect(await runProgram(`echo '${RESULT}'; touch '${marker}'; sleep 1000 & wait`, clock)).toMatchObject({
    kind: 'succeeded',
  });
});

test('a process that dies without a word is lost, with what it said last', async () => {
  expect(await runProgram('echo "out of memory" >&2; exit 0')).toMatchObject({
    kind: 'lost',
    why: 'The agent ended without a result (exit code 0). out of memory',
    figures: { turns: 0, costUsd: 0, model: null, sessionId: null },
  });
});

test('a flood of output and torn lines around the result do not hide it', async () => {
  const flood = `yes "${'not json at all '.repeat(20)}" | head -c 20000000; echo`;
  expect(await runProgram(`${flood}; echo '${RESULT}'; ${flood}; printf '{"type":"resu'`)).toMatchObject({
    kind: 'succeeded',
    result: { nonce: 'n-1', summary: 'done' },
  });
});

test('a program that is not there never had a chance', async () => {
  expect(await runProgram(null)).toMatchObject({ kind: 'lost', why: expect.stringContaining('ENOENT') });
});
