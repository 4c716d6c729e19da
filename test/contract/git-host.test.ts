import { GitDouble } from '../support/git-double.js';
import { IDENTITY, openGitHost } from '../support/git-host.js';
import { gitHostContract } from './git-host.js';

gitHostContract('git', async (p, as) => (await openGitHost(p, { as })).host);

gitHostContract('the double', async (p, as) => {
  const token = async (): Promise<string> => p.tokenOf(as);
  return new GitDouble({ pocket: p.pocket, token, identity: IDENTITY, clock: p.clock });
});
