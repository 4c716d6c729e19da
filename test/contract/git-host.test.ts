import { GitDouble } from '../support/git-double.js';
import { IDENTITY, openGitHost } from '../support/git-host.js';
import { gitHostContract } from './git-host.js';

gitHostContract('git', async (p, token) => (await openGitHost(p, { token: async () => token })).host);

gitHostContract(
  'the double',
  async ({ pocket, clock }, token) => new GitDouble({ pocket, token: async () => token, identity: IDENTITY, clock }),
);
