import { PATCH } from '../support/people-stage.js';
import { oneAndACrash, oneAtATime, twoAtATime } from './people-suites.js';
import { describePeople } from './people.js';

describePeople(PATCH, [oneAtATime(60), twoAtATime(12), oneAndACrash(8)], [1]);
