export default {
  testEnvironment: 'node',
  rootDir: 'build',
  testMatch: ['<rootDir>/test/**/*.test.js'],
  transform: {},
  // Long enough for a busy machine: no test is decided by time, this only ends one that hangs.
  testTimeout: 120_000,
  maxWorkers: 2,
  // Module instances of finished test files are never collected (vm modules): start a worker anew instead.
  workerIdleMemoryLimit: '900MB',
};
