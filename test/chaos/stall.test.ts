import { describeCrashes } from './crashes.js';
import { STALL } from './scenarios.js';

describeCrashes(STALL, ['emptied', 'kept'], 'each-kind');
