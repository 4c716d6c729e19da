import { Unsandboxed } from '../../../src/adapters/sandbox/unsandboxed.js';
import { sandboxContract } from '../suites/sandbox-contract.js';

sandboxContract('no sandbox', (limits) => new Unsandboxed(limits));
