import { PULL } from '../support/people/people-stage.js';
import { oneAndACrash, oneAtATime, twoAtATime } from '../support/people/case-sets.js';
import { describePeople } from '../support/people/describe-people.js';

describePeople(PULL, [oneAtATime(70), twoAtATime(12), oneAndACrash(8)], [1]);
