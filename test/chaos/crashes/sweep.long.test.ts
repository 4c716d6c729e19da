import { describeCrashes } from '../support/crash/describe-crashes.js';
import { SWEPT } from '../support/crash/scenarios.js';

describeCrashes(SWEPT, ['emptied', 'kept'], 'everywhere');
