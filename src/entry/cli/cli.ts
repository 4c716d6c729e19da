#!/usr/bin/env node
import { Command } from 'commander';
import { runCommand } from './command-failure.js';
import { version } from '../service/version.js';

/** The code of a command is loaded on use, so that reading commands do not wait for what `serve` needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import('../demo/demo-command.js')).demoCommand(),
  serve: async () => (await import('./serve-command.js')).serveCommand(),
  status: async () => (await import('./status-commands.js')).statusCommand(),
  runs: async () => (await import('./status-commands.js')).runsCommand(),
  explain: async () => (await import('./inspect-commands.js')).explainCommand(),
  history: async () => (await import('./inspect-commands.js')).historyCommand(),
  prompt: async () => (await import('./inspect-commands.js')).promptCommand(),
  account: async () => (await import('./account-command.js')).accountCommand(),
  pocket: async () => (await import('#pocket-github')).pocketCommand(),
};

/** `sluice`: one program, one subcommand per thing it does. */
const program = new Command('sluice')
  .description('Drives GitHub issues from label to verified merge.')
  .version(version())
  .showHelpAfterError('(sluice --help lists the commands)');

const [named = ''] = process.argv.slice(2);
const wanted = Object.hasOwn(COMMANDS, named) ? [named] : Object.keys(COMMANDS);
for (const name of wanted) {
  const command = await COMMANDS[name]?.();
  if (command !== undefined) program.addCommand(command);
}

await runCommand(() => program.parseAsync());
