import { describeCrashes, PULL } from './crash-cases.js';

describeCrashes(PULL, ['emptied']);
