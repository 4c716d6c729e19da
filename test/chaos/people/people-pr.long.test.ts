import { PULL } from '../support/people/people-stage.js';
import { everywhere, oneAndACrash, oneAtATime, SEEDS, twoAtATime } from '../support/people/case-sets.js';
import { describePeople } from '../support/people/describe-people.js';

if (everywhere().length > 0) describePeople(PULL, everywhere(), [0]);
describePeople(PULL, [oneAtATime(90), twoAtATime(40), oneAndACrash(20)], SEEDS);
