import { describeCrashes } from '../support/crash/describe-crashes.js';
import { STOP } from '../support/crash/scenarios.js';

describeCrashes(STOP, ['emptied', 'kept'], 'each-kind');
