import { PATCH } from '../support/people-stage.js';
import { everywhere, oneAndACrash, oneAtATime, SEEDS, twoAtATime } from './people-suites.js';
import { describePeople } from './people.js';

if (everywhere().length > 0) describePeople(PATCH, everywhere(), [0]);
describePeople(PATCH, [oneAtATime(90), twoAtATime(40), oneAndACrash(20)], SEEDS);
