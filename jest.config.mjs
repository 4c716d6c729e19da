export default {
  testEnvironment: 'node',
  rootDir: 'build',
  testMatch: ['<rootDir>/test/**/*.test.js'],
  transform: {},
  // Long enough for a busy machine: no test is decided by time, this only ends one that hangs.
  testTimeout: 120_000,
  maxWorkers: 2,
  globalSetup: '<rootDir>/../scripts/test-setup.mjs',
  // Jest guards what a test file left on the global object against late access; writing to it then calls itself without end
  // ("Maximum call stack size exceeded"), whenever a library's last timer comes after its file.
  testEnvironmentOptions: { globalsCleanup: 'off' },
  // Module instances of finished test files are never collected (vm modules), and starting git from a large process costs ten times
  // what git does: a worker is started anew after a few files.
  workerIdleMemoryLimit: '250MB',
};
