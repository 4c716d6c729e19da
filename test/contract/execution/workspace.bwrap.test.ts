import { workspaceContract } from '../suites/workspace-contract.js';
import { openBubblewrap } from '../../support/sandbox/bubblewrap.js';

workspaceContract('bubblewrap', openBubblewrap, { isSandboxed: true });
