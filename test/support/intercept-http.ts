import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import nock from 'nock';

/**
 * Has nock answer all HTTP of the tests of this file, and nothing leave that it does not answer; `alsoReal` names hosts that are asked all the same. Other
 * files of the same process get the real modules back.
 */
export function interceptHttp(alsoReal?: RegExp): void {
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    // Updates named imports from before and after nock was active.
    syncBuiltinESMExports();
    nock.disableNetConnect();
    if (alsoReal !== undefined) nock.enableNetConnect(alsoReal);
  });
  afterEach(() => {
    nock.abortPendingRequests();
    nock.cleanAll();
  });
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
    syncBuiltinESMExports();
  });
}
