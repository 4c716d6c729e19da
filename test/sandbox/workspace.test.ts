import { workspaceContract } from '../contract/workspace.js';
import { openBubblewrap } from './bubblewrap.js';

workspaceContract('bubblewrap', openBubblewrap, { isSandboxed: true });
