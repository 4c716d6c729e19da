import { describeStalls } from './stalls.js';

describeStalls('everywhere');
