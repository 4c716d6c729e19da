import { describeSuspensions } from './stalls.js';

describeSuspensions('everywhere');
