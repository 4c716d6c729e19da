// A Jest runner without virtual environments: test files are imported by Node itself, in a few processes that run one file after the other.
// Modules are loaded once per process instead of once per file, which is half of the time of this suite (docs/decisions/0010-test-runner.md).
import { fileURLToPath } from 'node:url';
import { Worker } from 'jest-worker';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

export default class NativeRunner {
  supportsEventEmitters = false;
  #globalConfig;

  constructor(globalConfig) {
    this.#globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    const { maxWorkers, workerIdleMemoryLimit } = this.#globalConfig;
    const waiting = [...tests];
    const workers = new Worker(WORKER, {
      exposedMethods: ['runTestFile'],
      numWorkers: Math.min(maxWorkers, tests.length),
      idleMemoryLimit: workerIdleMemoryLimit,
      forkOptions: { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    });
    const work = async () => {
      for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
        if (watcher.isInterrupted()) return;
        await onStart(test);
        try {
          await onResult(test, await workers.runTestFile(this.#order(test)));
        } catch (error) {
          await onFailure(test, { message: error.message, stack: error.stack, type: error.type });
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: maxWorkers }, work));
    } finally {
      await workers.end();
    }
  }

  #order({ path, context }) {
    const { testTimeout, testNamePattern } = this.#globalConfig;
    const { rootDir, testMatch, setupFilesAfterEnv: setupFiles } = context.config;
    return { path, setupFiles, testTimeout, testNamePattern, rootDir, testMatch };
  }
}
