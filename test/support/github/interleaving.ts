import type { Agent } from '../../../src/ports/agent.js';
import type { GitHost, PushResult, RefPush } from '../../../src/ports/git-host.js';
import { tipOf } from '#pocket-github/test/branches';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* Agents and git hosts that let something happen at a chosen moment. */

/** Counts the code runs of an agent, which cost money. */
export class CodeRunCounter {
  #runs = 0;

  get count(): number {
    return this.#runs;
  }

  readonly counting =
    (inner: (usual: Agent) => Agent) =>
    (usual: Agent): Agent => {
      const agent = inner(usual);
      return {
        run: (job) => {
          if (job.phase === 'code') this.#runs += 1;
          return agent.run(job);
        },
      };
    };
}

/** Acts when the n-th code run has just done its work. */
export function afterCodeRun(run: number, act: () => Promise<unknown>): (usual: Agent) => Agent {
  const count = { runs: 0 };
  return (usual) => ({
    run: async (job) => {
      if (job.phase === 'code') count.runs += 1;
      const outcome = await usual.run(job);
      if (job.phase === 'code' && count.runs === run) await act();
      return outcome;
    },
  });
}

/** Acts once, right before a branch moves. */
export function beforePush(branch: string, act: () => Promise<unknown>): (usual: GitHost) => GitHost {
  const done = { yet: false };
  return (usual) =>
    interceptPushes(usual, async (refs, push) => {
      if (!done.yet && refs.some(({ ref, to }) => ref === `refs/heads/${branch}` && to !== null)) {
        done.yet = true;
        await act();
      }
      return push();
    });
}

/** A git host whose pushes are intercepted. */
export function interceptPushes(
  usual: GitHost,
  push: (refs: readonly RefPush[], usual: () => Promise<PushResult>) => Promise<PushResult>,
): GitHost {
  return new Proxy(usual, {
    get: (host, name: keyof GitHost) =>
      name === 'push'
        ? (...args: Parameters<GitHost['push']>) => push(args[1], () => host.push(...args))
        : (host[name] as (...args: unknown[]) => unknown).bind(host),
  });
}

/** The content of files on a branch, without missing ones. */
export async function filesOnBranch(
  p: TestPocket,
  branch: string,
  paths: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const git = p.pocket.world.git(p.repository.id);
  const texts: Record<string, string> = {};
  for (const path of paths) {
    const entry = await git.entryAt(tipOf(p, branch), path);
    const object = entry === null ? null : await git.object(entry.oid);
    if (object?.type === 'blob') texts[path] = object.content.toString();
  }
  return texts;
}
