import { describeCrashes } from '../support/crash/describe-crashes.js';
import { STALL } from '../support/crash/scenarios.js';

describeCrashes(STALL, ['emptied', 'kept'], 'each-kind');
