import { expect } from '@jest/globals';
import { bash, call, hang, say, stall, together, write } from '#scripted-claude';
import {
  DONE,
  diligentAgent,
  describeHostileAgents,
  SHORT_LIMITS,
  WORK,
} from '../../support/agent/describe-hostile-agents.js';
import { processesNaming } from '../../support/sandbox/processes.js';

const made = write(WORK, 'made\n');
/** A number of seconds that nobody else sleeps. */
const MARK = `86${process.pid}`;
const noSleeper = (): void => expect(processesNaming(`sleep ${MARK}`)).toEqual([]);
const INIT = '{"type":"system","subtype":"init","session_id":"5f1b2c3d-0000-4000-8000-000000000001"}';

describeHostileAgents({
  'a model that never answers: nudged, started over, given up': {
    turns: [hang()],
    watch: SHORT_LIMITS,
    outcome: { kind: 'stalled' },
    figures: { steps: 4, resumes: 2, turns: 0 },
    check: ({ fixture }) => {
      const stops = fixture.log.said('agent step ended').map(({ fields }) => ('stop' in fields ? fields.stop : null));
      expect(stops).toEqual(['idle', 'idle', 'idle', 'idle']);
    },
  },
  'an answer that stops in the middle': {
    turns: [made, stall({ afterEvents: 4 }), DONE],
    watch: SHORT_LIMITS,
    outcome: { kind: 'succeeded' },
    figures: { steps: 2, resumes: 1 },
    kept: [WORK],
    check: ({ fixture }) => {
      expect(fixture.model.requests.matching({ latestIncludes: 'went silent' })).not.toEqual([]);
    },
  },
  'a tool that never ends': {
    turns: [made, bash(`tail -f /dev/null & sleep ${MARK}`), DONE],
    watch: SHORT_LIMITS,
    outcome: { kind: 'succeeded' },
    figures: { steps: 2, resumes: 1 },
    kept: [WORK],
    check: noSleeper,
  },
  'a tool that is busy is left alone': {
    turns: [bash('end=$((SECONDS+3)); while [ $SECONDS -lt $end ]; do :; done'), made, DONE],
    watch: { ...SHORT_LIMITS, busyShare: 0.05 },
    outcome: { kind: 'succeeded' },
    figures: { steps: 1, resumes: 0 },
  },
  'a tool that writes files is left alone': {
    turns: [bash('for i in 1 2 3 4 5 6 7 8 9; do echo $i > file-$i; sleep 0.3; done'), made, DONE],
    watch: { ...SHORT_LIMITS, busyShare: 9, toolIdleMs: 1500, idleMs: 1500 },
    outcome: { kind: 'succeeded' },
    figures: { steps: 1, resumes: 0 },
  },
  'a process that goes on after its result': {
    turns: diligentAgent,
    wrapper: `"$CLAUDE" "$@"; sleep ${MARK}`,
    outcome: { kind: 'succeeded' },
    figures: { steps: 1 },
    kept: [WORK],
    check: noSleeper,
  },
  'a command put into the background by the tool is refused': {
    turns: [call('Bash', { command: `sleep ${MARK}`, description: 'Wait', run_in_background: true }), made, DONE],
    outcome: { kind: 'succeeded' },
    figures: { steps: 1 },
    kept: [WORK],
    check: noSleeper,
  },
  'a command that puts itself into the background': {
    turns: [bash(`nohup sleep ${MARK} > /dev/null 2>&1 & echo started`), made, DONE],
    outcome: { kind: 'succeeded' },
    kept: [WORK],
    check: noSleeper,
  },
  'a child in a session of its own': {
    turns: [bash(`setsid sh -c 'sleep ${MARK} & sleep ${MARK}' > /dev/null 2>&1 & echo started`), made, DONE],
    outcome: { kind: 'succeeded' },
    kept: [WORK],
    check: noSleeper,
  },
  'a program that ignores being asked to end': {
    turns: diligentAgent,
    wrapper: `trap '' TERM\necho '${INIT}'\nwhile :; do sleep ${MARK}; done`,
    watch: SHORT_LIMITS,
    outcome: { kind: 'stalled' },
    figures: { steps: 4 },
    check: noSleeper,
  },
  'a program that never says a word': {
    turns: diligentAgent,
    wrapper: `sleep ${MARK}`,
    watch: { ...SHORT_LIMITS, firstEventMs: 500 },
    outcome: { kind: 'stalled', why: 'The agent did not say a word.' },
    figures: { steps: 4, resumes: 0, sessionId: null },
    check: noSleeper,
  },
  'fifty megabytes of output around the stream': {
    turns: diligentAgent,
    wrapper: `yes 'this is no event, and neither is that' | head -c 25000000; echo; "$CLAUDE" "$@"; yes '{"type":' | head -c 25000000`,
    outcome: { kind: 'succeeded' },
    figures: { steps: 1 },
    kept: [WORK],
  },
  'a command with fifty megabytes of output': {
    turns: [bash("yes 'all work and no play' | head -c 50000000"), made, DONE],
    outcome: { kind: 'succeeded' },
    kept: [WORK],
  },
  'torn lines between the whole ones': {
    turns: diligentAgent,
    wrapper: `"$CLAUDE" "$@" | while IFS= read -r line; do printf '%s\\n%s\\n' "\${line:0:60}" "$line"; done; printf '{"type":"resu'`,
    outcome: { kind: 'succeeded' },
    kept: [WORK],
  },
  'the same message for ever': {
    turns: () => together(say('I look at the same thing once more.'), bash('true')),
    outcome: { kind: 'looped' },
    figures: { steps: 4, resumes: 2 },
  },
  'the same message, until it is told': {
    turns: ({ latest }) =>
      latest.includes('Note 1')
        ? DONE
        : together(say('I look at the same thing once more.'), bash(`echo made >> ${WORK}; git status`)),
    outcome: { kind: 'succeeded' },
    figures: { steps: 2, resumes: 1 },
    kept: [WORK],
  },
  'no time left': {
    turns: [made, hang()],
    // Long enough for a busy machine to get as far as its hang.
    job: { limits: { maxTurns: 9, budgetUsd: null, capMs: 12_000, watch: { tickMs: 100 } } },
    outcome: { kind: 'timed-out', handoff: { files: [WORK] } },
    figures: { steps: 1 },
    kept: [WORK],
  },
});
