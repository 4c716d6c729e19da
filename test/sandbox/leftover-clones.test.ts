import { leftoversContract } from '../contract/leftovers.js';
import { openBubblewrap } from './bubblewrap.js';

leftoversContract('bubblewrap', openBubblewrap);
