import { leftoversContract } from '../suites/leftovers-contract.js';
import { openBubblewrap } from '../../support/sandbox/bubblewrap.js';

leftoversContract('bubblewrap', openBubblewrap);
