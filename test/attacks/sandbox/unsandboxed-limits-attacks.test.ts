import { describe, expect, test } from '@jest/globals';
import { Unsandboxed } from '../../../src/adapters/sandbox/unsandboxed.js';
import { endedFor, openLimitedShell } from '../../support/sandbox/limited-shell.js';
import { processesNaming } from '../../support/sandbox/processes.js';

/* C8–C11 without a sandbox: rlimits and the watcher hold here, too, for what does not leave its parents. */

const MARK = `84${process.pid}`;

describe('without a sandbox', () => {
  test.each([
    ['memory', `perl -e '$x = "a" x (200 << 20); sleep ${MARK}'`],
    ['processes', `for i in $(seq 40); do sleep ${MARK} & done; wait`],
    ['disk', `for i in $(seq 40); do head -c 1M /dev/zero > $i; done; sleep ${MARK}`],
    ['files', `mkdir a; touch a/{1..400}; sleep ${MARK}`],
    ['file-size', 'head -c 8M /dev/zero > big'],
  ] as const)('too much of this is ended: %s', async (limit, script) => {
    const { shell } = await openLimitedShell((limits) => new Unsandboxed(limits));
    expect(await shell(script)).toMatchObject(endedFor(limit));
    expect(processesNaming(MARK)).toEqual([]);
  });

  test('what takes little runs to its end', async () => {
    const { shell } = await openLimitedShell((limits) => new Unsandboxed(limits));
    expect(await shell('cat /proc/self/oom_score_adj; sleep 1; echo done')).toMatchObject({
      end: { kind: 'exited', code: 0 },
      stdout: '1000\ndone\n',
    });
  });
});
