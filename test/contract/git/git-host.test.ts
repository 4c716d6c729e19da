import { GitDouble } from '../../support/git/git-double.js';
import { IDENTITY, openGitHost } from '../../support/git/git-host.js';
import { gitHostContract } from '../suites/git-host-contract.js';

gitHostContract('git', async (p, token) => (await openGitHost(p, { token: async () => token })).host);

gitHostContract(
  'the double',
  async ({ pocket, clock }, token) => new GitDouble({ pocket, token: async () => token, identity: IDENTITY, clock }),
);
