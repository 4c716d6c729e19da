import type { Need } from '../../identity/access.js';

/* What GitHub's documentation asks of those who read and write git data, files, branches and commits. */

export const READ: Need = { app: 'contents:read', role: 'read' };
export const WRITE: Need = { app: 'contents:write', role: 'write' };
