import { Unsandboxed } from '../../../src/adapters/sandbox/unsandboxed.js';
import { createWorkspace } from '../../../src/adapters/workspace/workspace.js';
import { parseRepoConfig } from '../../../src/config/repo-config.js';
import { GitDouble } from '../../support/git/git-double.js';
import { IDENTITY, openGitHost, QUIET, testFolder } from '../../support/git/git-host.js';
import { workspaceDouble } from '../../support/git/workspace-double.js';
import { plainWorkspaceContract } from '../suites/plain-workspace-contract.js';
import { CONFIG } from '../suites/workspace-contract.js';

plainWorkspaceContract('a real workspace', async (p) => {
  const { host: gitHost } = await openGitHost(p);
  const sandbox = new Unsandboxed({ clock: p.clock, graceMs: 5000 });
  const folder = await testFolder();
  const parts = { folder, gitHost, sandbox, parseConfig: parseRepoConfig, config: CONFIG, log: QUIET };
  return { gitHost, workspace: createWorkspace(parts) };
});

plainWorkspaceContract('the double', async (p) => {
  const token = async (): Promise<string> => p.tokenOf('wren');
  const gitHost = new GitDouble({ pocket: p.pocket, token, identity: IDENTITY, clock: p.clock });
  return { gitHost, workspace: workspaceDouble({ gitHost, folder: await testFolder() }) };
});
