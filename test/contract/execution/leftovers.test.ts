import { Unsandboxed } from '../../../src/adapters/sandbox/unsandboxed.js';
import { leftoversContract } from '../suites/leftovers-contract.js';

leftoversContract('no sandbox', (limits) => new Unsandboxed(limits));
