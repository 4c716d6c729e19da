import { describeCrashes } from './crashes.js';
import { PATCH } from './scenarios.js';

describeCrashes(PATCH, ['emptied', 'kept'], 'everywhere');
