import { describeCrashes } from '../support/crash/describe-crashes.js';
import { PULL } from '../support/crash/scenarios.js';

describeCrashes(PULL, ['emptied', 'kept'], 'each-kind');
