import { expect, test } from '@jest/globals';
import { hidePaths } from '../../../../src/domain/sanitise/hide-paths.js';

const hide = hidePaths(['/srv/sluice/data', '/mnt/x/data']);

test.each([
  ['/srv/sluice/data/clones/ada+tideline/run-1-work/clone/src/a.js:3', '/repository/src/a.js:3'],
  ['at /mnt/x/data/clones/ada+tideline/run-1/home/tmp', 'at /home/tmp'],
  ['fatal: /srv/sluice/data/mirrors/ada+tideline.git', 'fatal: /sluice/mirrors/ada+tideline.git'],
  ['/srv/sluice/database stays', '/srv/sluice/database stays'],
  ['(/srv/sluice/data/clones/a+b/r/clone)', '(/repository)'],
])('%s', (text, shown) => {
  expect(hide(text)).toBe(shown);
  expect(hide(shown)).toBe(shown);
});
