import { Unsandboxed } from '../../src/adapters/sandbox/unsandboxed.js';
import { leftoversContract } from '../contract/leftovers.js';

leftoversContract('no sandbox', (limits) => new Unsandboxed(limits));
