import { PATCH } from '../support/people-stage.js';
import { ONE_EVERYWHERE, oneAndACrash, SEEDS, twoAtATime } from './people-suites.js';
import { describePeople } from './people.js';

describePeople(PATCH, [ONE_EVERYWHERE], [0]);
describePeople(PATCH, [twoAtATime(80), oneAndACrash(40)], SEEDS);
