import { Unsandboxed } from '../../../src/adapters/sandbox/unsandboxed.js';
import { workspaceContract } from '../suites/workspace-contract.js';

workspaceContract('no sandbox', (limits) => new Unsandboxed(limits), { isSandboxed: false });
