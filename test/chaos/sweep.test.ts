import { describeCrashes } from './crashes.js';
import { SWEPT } from './scenarios.js';

describeCrashes(SWEPT, ['emptied', 'kept'], 'each-kind');
