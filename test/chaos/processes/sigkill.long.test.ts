import { describeKills } from '../support/process/describe-kills.js';

describeKills(['kept', 'emptied', 'emptied', 'kept', 'emptied']);
