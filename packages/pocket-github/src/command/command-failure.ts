/** A failure a person can do something about: shown as one message, without a stack. */
export class CommandFailure extends Error {}

/** What a terminal acts on instead of showing it, line ends and tabs excepted. */
const CONTROLS = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Runs a command; a known failure becomes one message on stderr, headed by the program's name, and exit code 1. */
export async function runCommand(program: string, command: () => Promise<unknown>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const message = error.message.replaceAll(
      CONTROLS,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    process.stderr.write(`${program}: ${message}\n`);
    process.exitCode = 1;
  }
}
