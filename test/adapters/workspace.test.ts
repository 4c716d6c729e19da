import { Unsandboxed } from '../../src/adapters/sandbox/unsandboxed.js';
import { workspaceContract } from '../contract/workspace.js';

workspaceContract('no sandbox', (limits) => new Unsandboxed(limits), { isSandboxed: false });
