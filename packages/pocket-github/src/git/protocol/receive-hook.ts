import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';

/**
 * Both hooks of every repository. They decide nothing: over descriptor 3, which receive-pack inherits to them, they ask the
 * server and wait for its word. Without a server (or when it goes away) the push is refused.
 * pre-receive runs while the new objects are still in quarantine, update after that and once per ref.
 */
export const RECEIVE_HOOK = `#!/bin/sh
case $0 in
  */pre-receive) printf 'incoming %s\\n' "$GIT_QUARANTINE_PATH" >&3 ;;
  *) printf 'update %s\\n' "$1" >&3 ;;
esac
IFS= read -r answer <&3 && [ "$answer" = allow ]
`;

/** The server's side of the exchange. True lets git continue. */
export interface HookAnswers {
  /** All of the push, its objects still below `quarantine`. */
  incoming(quarantine: string): Promise<boolean>;
  /** One ref of a push that was let through as a whole. */
  update(ref: string): boolean;
}

/** Answers the hooks of one receive-pack until it ends. */
export async function answerHooks(channel: Duplex, answers: HookAnswers): Promise<void> {
  // A killed hook reads no answer. The git process shows how it ended.
  channel.on('error', () => undefined);
  try {
    for await (const line of createInterface({ input: channel })) {
      const subject = line.slice(line.indexOf(' ') + 1);
      const allowed = line.startsWith('incoming ') ? await answers.incoming(subject) : answers.update(subject);
      channel.write(allowed ? 'allow\n' : 'refuse\n');
    }
  } finally {
    // A hook that still waits reads the end of the channel as a refusal.
    channel.destroy();
  }
}
