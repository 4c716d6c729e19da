import { expect } from '@jest/globals';
import {
  describeHostileAgents,
  diligentAgent,
  SHORT_LIMITS,
  WORK,
  DONE,
} from '../../support/agent/describe-hostile-agents.js';
import { hang, say, write } from '#scripted-claude';

/** Kills the first process of a run without notice once it has printed so many lines. */
const killedAfter = (lines: number): string => `
if [ -e "$HOME/killed" ]; then exec "$CLAUDE" "$@"; fi
touch "$HOME/killed"
coproc STREAM { exec "$CLAUDE" "$@"; }
PID=$STREAM_PID
for ((n = 0; n < ${lines}; n++)); do IFS= read -r line <&"\${STREAM[0]}" || break; printf '%s\\n' "$line"; done
kill -9 $PID
exit 137
`;

/** From before the first word, through the requests, the tool and its result, to the result of the run. */
const MOMENTS = [0, 1, 2, 3, 5, 8, 11, 14, 18, 23];

describeHostileAgents(
  Object.fromEntries(
    MOMENTS.map((lines) => [
      `killed after ${lines} lines, it goes on`,
      {
        turns: diligentAgent,
        wrapper: killedAfter(lines),
        outcome: { kind: 'succeeded', result: { summary: 'done' } },
        figures: { steps: 2 },
        kept: [WORK],
      },
    ]),
  ),
);

/** Forgets everything before it resumes. */
const FORGETFUL = `
for each in "$@"; do if [ "$each" = --resume ]; then rm -rf "$HOME/.claude/projects"; fi; done
exec "$CLAUDE" "$@"
`;

describeHostileAgents({
  'killed again and again, it is lost': {
    turns: diligentAgent,
    wrapper: 'kill -9 $$',
    outcome: { kind: 'lost', why: expect.stringContaining('SIGKILL') },
    figures: { steps: 4 },
  },
  'a session that is gone when it is to be resumed starts over': {
    turns: ({ prompt, turn }) => {
      if (prompt.includes('earlier session')) return DONE;
      return turn === 0 ? write(WORK, 'made\n') : hang();
    },
    wrapper: FORGETFUL,
    watch: SHORT_LIMITS,
    outcome: { kind: 'succeeded' },
    figures: { steps: 3, resumes: 1 },
    kept: [WORK],
  },
  'a session that is gone when it is asked for its result starts over, too': {
    turns: ({ prompt }) => (prompt.includes('earlier session') ? DONE : say('Done.')),
    wrapper: FORGETFUL,
    outcome: { kind: 'succeeded' },
    figures: { steps: 3, resumes: 1 },
  },
});
