import { Unsandboxed } from '../../src/adapters/sandbox/unsandboxed.js';
import { sandboxContract } from './sandbox.js';

sandboxContract('no sandbox', (limits) => new Unsandboxed(limits));
