import { PULL } from '../support/people-stage.js';
import { everywhere, oneAndACrash, oneAtATime, SEEDS, twoAtATime } from './people-suites.js';
import { describePeople } from './people.js';

if (everywhere().length > 0) describePeople(PULL, everywhere(), [0]);
describePeople(PULL, [oneAtATime(90), twoAtATime(40), oneAndACrash(20)], SEEDS);
