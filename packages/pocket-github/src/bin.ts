#!/usr/bin/env node
import { pocketCommand } from './command/pocket-command.js';

await pocketCommand().name('pocket-github').parseAsync();
