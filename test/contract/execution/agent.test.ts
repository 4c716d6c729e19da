import { Unsandboxed } from '../../../src/adapters/sandbox/unsandboxed.js';
import { ManualClock } from '#pocket-github/clock';
import { agentDouble, type DoubleAnswer } from '../../support/agent/agent-double.js';
import { openClaudeAgentFixture, turnsFor } from '../../support/agent/claude-fixture.js';
import { agentContract, type Behaviour } from '../suites/agent-contract.js';

agentContract('claude without a sandbox', (behaviour) =>
  openClaudeAgentFixture((limits) => new Unsandboxed(limits), turnsFor(behaviour)),
);

const ANSWERS: Readonly<Record<Behaviour, DoubleAnswer>> = {
  works: { kind: 'works', files: { 'made.txt': 'made\n' }, result: { nonce: 'n-5e1f', summary: 'done' } },
  'gives no result': { kind: 'no-op' },
  'answers for another run': { kind: 'works', result: { nonce: 'n-0000', summary: 'done' } },
  'never ends': { kind: 'never-ends' },
  'uses up its turns': { kind: 'turn-capped' },
  'is refused by the API': { kind: 'auth', why: 'refused' },
  'is told to wait by the API': { kind: 'throttled', why: 'busy' },
};

agentContract('the double', async (behaviour) => {
  const clock = new ManualClock();
  const started: (() => void)[] = [];
  const busy = new Promise<void>((resolve) => started.push(resolve));
  const answer = (): DoubleAnswer => {
    // Told in a later turn: by then it is in the middle of it.
    setImmediate(() => started.forEach((tell) => tell()));
    return ANSWERS[behaviour];
  };
  return { agent: agentDouble({ clock, answer }), clock, busy: () => busy, close: async () => undefined };
});
