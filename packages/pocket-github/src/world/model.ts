/*
 * The records Pocket GitHub keeps. References are ids, never objects; every record is replaced as a whole when it changes.
 * Names follow GitHub's words so that serialisers read like the documentation they implement.
 */
export * from './model/account.js';
export * from './model/repository.js';
export * from './model/issue.js';
export * from './model/pull.js';
export * from './model/check.js';
export * from './model/branch-rules.js';
export * from './model/project.js';
export * from './model/hook.js';
