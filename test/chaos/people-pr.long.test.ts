import { PULL } from '../support/people-stage.js';
import { ONE_EVERYWHERE, oneAndACrash, SEEDS, twoAtATime } from './people-suites.js';
import { describePeople } from './people.js';

describePeople(PULL, [ONE_EVERYWHERE], [0]);
describePeople(PULL, [twoAtATime(80), oneAndACrash(40)], SEEDS);
