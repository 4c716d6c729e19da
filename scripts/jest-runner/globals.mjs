// What test files get for '@jest/globals', which works inside Jest's own environment only.
export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
export { jestExpect as expect } from '@jest/expect';
