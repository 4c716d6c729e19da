import { describeSuspensions } from '../support/crash/describe-suspensions.js';

describeSuspensions('everywhere');
