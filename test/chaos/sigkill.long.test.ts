import { describeKills } from './sigkills.js';

describeKills(['kept', 'emptied', 'emptied', 'kept', 'emptied']);
