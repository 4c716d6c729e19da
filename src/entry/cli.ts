#!/usr/bin/env node
import { Command } from 'commander';
import { runCommand } from './command-failure.js';
import { pocketCommand } from './pocket-command.js';
import { version } from './version.js';

/** `sluice`: one program, one subcommand per thing it does. */
const program = new Command('sluice')
  .description('Drives GitHub issues from label to verified merge.')
  .version(version())
  .showHelpAfterError('(sluice --help lists the commands)')
  .addCommand(pocketCommand());

await runCommand(() => program.parseAsync());
