import { describeCrashes, PATCH } from './crash-cases.js';

describeCrashes(PATCH, ['emptied', 'kept']);
