import { sandboxContract } from '../suites/sandbox-contract.js';
import { openBubblewrap } from '../../support/sandbox/bubblewrap.js';

sandboxContract('bubblewrap', openBubblewrap);
