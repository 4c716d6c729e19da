import { sandboxContract } from '../contract/sandbox.js';
import { openBubblewrap } from './bubblewrap.js';

sandboxContract('bubblewrap', openBubblewrap);
