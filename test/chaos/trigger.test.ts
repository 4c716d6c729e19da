import { describeCrashes } from './crashes.js';
import { TRIGGER } from './scenarios.js';

describeCrashes(TRIGGER, ['emptied', 'kept'], 'each-kind');
