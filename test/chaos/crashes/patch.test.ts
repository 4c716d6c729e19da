import { describeCrashes } from '../support/crash/describe-crashes.js';
import { PATCH } from '../support/crash/scenarios.js';

describeCrashes(PATCH, ['emptied', 'kept'], 'each-kind');
