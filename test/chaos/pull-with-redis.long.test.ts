import { describeCrashes } from './crashes.js';
import { PULL } from './scenarios.js';

describeCrashes(PULL, ['kept'], 'everywhere');
