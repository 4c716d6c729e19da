// Runs test files given by the runner, in this process, one after the other.
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { createEmptyTestResult } from '@jest/test-result';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';

register('./resolve-globals.mjs', import.meta.url);

const FORMAT = { noStackTrace: false };

addEventHandler((event) => {
  if (event.name !== 'test_start') return;
  jestExpect.setState({ currentTestName: namesOf(event.test).join(' ') });
});

export async function runTestFile({ path, setupFiles, testTimeout, testNamePattern, rootDir, testMatch }) {
  const start = Date.now();
  resetState();
  const state = getState();
  state.testTimeout = testTimeout;
  state.testNamePattern = testNamePattern ? new RegExp(testNamePattern, 'i') : undefined;
  jestExpect.setState({ testPath: path, suppressedErrors: [] });
  for (const file of setupFiles) {
    const { default: setUp } = await import(pathToFileURL(file).href);
    setUp();
  }
  await import(pathToFileURL(path).href);
  const { testResults, unhandledErrors } = await run();
  const results = testResults.map(toResult);
  const failures = formatResultsErrors(results, { rootDir, testMatch }, FORMAT, path);
  const unhandled = unhandledErrors.map((stack) => formatExecError(stack, { rootDir, testMatch }, FORMAT, path));
  const end = Date.now();
  return {
    ...createEmptyTestResult(),
    testFilePath: path,
    testResults: results,
    numPassingTests: count(results, 'passed'),
    numFailingTests: count(results, 'failed'),
    numPendingTests: count(results, 'pending'),
    numTodoTests: count(results, 'todo'),
    failureMessage: [failures, ...unhandled].filter(Boolean).join('\n\n') || null,
    testExecError: unhandledErrors.length > 0 ? { message: '', stack: unhandledErrors.join('\n') } : undefined,
    perfStats: {
      start,
      end,
      runtime: end - start,
      slow: false,
      loadTestEnvironmentEnd: start,
      loadTestEnvironmentStart: start,
      setupAfterEnvEnd: start,
      setupAfterEnvStart: start,
      setupFilesEnd: start,
      setupFilesStart: start,
    },
  };
}

const count = (results, status) => results.filter((result) => result.status === status).length;

function namesOf(test) {
  const names = [test.name];
  for (let block = test.parent; block?.parent; block = block.parent) names.unshift(block.name);
  return names;
}

/** Circus' result of one test as Jest's reporters read it. The first name is that of the root block. */
function toResult({ testPath, status, duration, errors, errorsDetailed, invocations, startedAt }) {
  const [title, ...outer] = testPath.slice(1).reverse();
  const ancestorTitles = outer.reverse();
  return {
    ancestorTitles,
    title,
    fullName: [...ancestorTitles, title].join(' '),
    status: status === 'skip' ? 'pending' : status === 'todo' ? 'todo' : errors.length > 0 ? 'failed' : 'passed',
    duration,
    failing: false,
    failureDetails: errorsDetailed,
    failureMessages: errors,
    invocations,
    location: null,
    numPassingAsserts: 0,
    retryReasons: [],
    startAt: startedAt,
  };
}
