import { describeCrashes } from '../support/crash/describe-crashes.js';
import { QUOTA } from '../support/crash/scenarios.js';

describeCrashes(QUOTA, ['emptied', 'kept'], 'everywhere');
