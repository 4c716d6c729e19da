export default {
  testEnvironment: 'node',
  rootDir: 'build',
  testMatch: ['<rootDir>/test/**/*.test.js'],
  transform: {},
  testTimeout: 30_000,
};
