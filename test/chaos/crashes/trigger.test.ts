import { describeCrashes } from '../support/crash/describe-crashes.js';
import { TRIGGER } from '../support/crash/scenarios.js';

describeCrashes(TRIGGER, ['emptied', 'kept'], 'each-kind');
