import { createGitHost } from '../../../src/adapters/git/git-host.js';
import { createAppTokens } from '../../../src/adapters/github/auth/app-tokens.js';
import { Unsandboxed } from '../../../src/adapters/sandbox/unsandboxed.js';
import { createWorkspace } from '../../../src/adapters/workspace/workspace.js';
import { createLeftovers } from '../../../src/adapters/workspace/leftover-clones.js';
import { parseRepoConfig } from '../../../src/config/repo-config.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { Leftovers } from '../../../src/ports/leftovers.js';
import type { Workspace } from '../../../src/ports/workspace.js';
import { afterThisTest } from '../clean-up.js';
import { type EngineHarness, type EngineHarnessOptions, openEngineHarness } from './engine-harness.js';
import { IDENTITY, QUIET, testFolder } from '../git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

export interface RealGitHarness extends EngineHarness {
  readonly host: GitHost;
  readonly workspace: Workspace;
  /** Clones of services that died. */
  readonly leftovers: Leftovers;
}

/** A harness with real clones, bundles, mirrors and pushes; only sandbox and model are doubles. Ends with the test. */
export async function openRealGitHarness(p: TestPocket, options: EngineHarnessOptions = {}): Promise<RealGitHarness> {
  const { clock, app, pocket } = p;
  const tokens = createAppTokens({
    apiUrl: pocket.urls.api,
    appId: app.id,
    privateKey: app.privateKey,
    clock,
    log: QUIET,
  });
  const host = createGitHost({
    folder: await testFolder(),
    remoteUrl: ({ owner, repo }) => `${pocket.urls.html}/${owner}/${repo}.git`,
    token: async (repo) => (await tokens.tokenFor(repo)).text,
    identity: IDENTITY,
    clock,
    log: QUIET,
    deadlineMs: 60_000,
  });
  const clones = {
    folder: await testFolder(),
    gitHost: host,
    sandbox: new Unsandboxed({ clock, graceMs: 5_000 }),
    config: {
      path: process.env['PATH'] ?? '/usr/bin:/bin',
      identity: IDENTITY,
      commandTimeoutMs: 60_000,
      setupTimeoutMs: 60_000,
      maxBundleBytes: 10_000_000,
    },
    log: QUIET,
  };
  const workspace = createWorkspace({ ...clones, parseConfig: parseRepoConfig });
  const leftovers = createLeftovers({ ...clones, clock });
  const { gitHost = (usual: GitHost) => usual } = options;
  const harness = await openEngineHarness(p, { ...options, gitHost: () => gitHost(host), workspace: () => workspace });
  afterThisTest(() => harness.close());
  return { ...harness, host, workspace, leftovers };
}
