import { PATCH } from '../support/people/people-stage.js';
import { oneAndACrash, oneAtATime, twoAtATime } from '../support/people/case-sets.js';
import { describePeople } from '../support/people/describe-people.js';

describePeople(PATCH, [oneAtATime(60), twoAtATime(12), oneAndACrash(8)], [1]);
