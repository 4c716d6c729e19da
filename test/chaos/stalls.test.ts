import { describeStalls } from './stalls.js';

describeStalls('each-kind');
