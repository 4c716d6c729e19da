import { describeCrashes } from './crashes.js';
import { STOP } from './scenarios.js';

describeCrashes(STOP, ['emptied', 'kept'], 'everywhere');
