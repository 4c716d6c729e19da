export default {
  testEnvironment: 'node',
  rootDir: 'build',
  testMatch: ['<rootDir>/test/**/*.test.js', '<rootDir>/packages/*/test/**/*.test.js'],
  transform: {},
  // Test files are loaded by Node itself (docs/decisions/0010-test-runner.md).
  runner: '<rootDir>/../scripts/jest-runner/runner.mjs',
  // Long enough for a busy machine: no test is decided by time, this only ends one that hangs.
  testTimeout: 120_000,
  maxWorkers: 2,
  setupFilesAfterEnv: ['<rootDir>/test/support/clean-up.js'],
  globalSetup: '<rootDir>/../scripts/test-setup.mjs',
  // Starting git from a large process costs ten times what git does: a worker that has grown is started anew.
  workerIdleMemoryLimit: '250MB',
};
