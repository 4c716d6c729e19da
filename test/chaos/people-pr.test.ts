import { PULL } from '../support/people-stage.js';
import { oneAndACrash, oneAtATime, twoAtATime } from './people-suites.js';
import { describePeople } from './people.js';

describePeople(PULL, [oneAtATime(70), twoAtATime(12), oneAndACrash(8)], [1]);
