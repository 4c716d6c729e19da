import { Unsandboxed } from '../../src/adapters/sandbox/unsandboxed.js';
import { workspaceContract } from '../contract/workspace.js';

workspaceContract('none', (limits) => new Unsandboxed(limits));
