import { describeSuspensions } from './stalls.js';

describeSuspensions('each-kind');
