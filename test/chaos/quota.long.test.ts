import { describeCrashes } from './crashes.js';
import { QUOTA } from './scenarios.js';

describeCrashes(QUOTA, ['emptied', 'kept'], 'everywhere');
