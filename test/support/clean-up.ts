import { afterAll, afterEach } from '@jest/globals';

/*
 * Clean-up after a test or a test file. Support modules are loaded once for many test files, so their own hooks would belong to the first
 * file. They register their clean-up here instead.
 */

type Task = () => Promise<unknown>;

const afterTest: Task[] = [];
const afterFile: Task[] = [];

export const afterThisTest = (task: Task): void => {
  afterTest.push(task);
};

export const afterThisFile = (task: Task): void => {
  afterFile.push(task);
};

async function runAll(tasks: Task[]): Promise<void> {
  for (const task of tasks.splice(0)) await task();
}

/** Called by the test runner before each test file is loaded (`setupFilesAfterEnv`). */
export default function registerCleanUp(): void {
  afterEach(() => runAll(afterTest));
  afterAll(() => runAll(afterFile));
}
