import { PATCH } from '../support/people-stage.js';
import { ONE_AT_A_TIME, oneAndACrash, twoAtATime } from './people-suites.js';
import { describePeople } from './people.js';

describePeople(PATCH, [ONE_AT_A_TIME, twoAtATime(20), oneAndACrash(10)], [1]);
