import { escapeControls } from '../../domain/sanitise/invisible.js';

/** A failure that the user can fix: shown as one message, without a stack. */
export class CommandFailure extends Error {}

/** Runs a command; a known failure becomes one line on stderr and exit code 1. */
export async function runCommand(command: () => Promise<unknown>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    process.stderr.write(`sluice: ${escapeControls(error.message)}\n`);
    process.exitCode = 1;
  }
}
