import { systemClock } from '../src/adapters/clock/system-clock.js';
import type { ModelRequest } from '../packages/scripted-claude/src/protocol/model-request.js';
import { drip } from '../packages/scripted-claude/src/script/break.js';
import { bash, say, structured, together, write } from '../packages/scripted-claude/src/script/say.js';
import type { Turn } from '../packages/scripted-claude/src/script/turn.js';
import { startScriptedModel } from '../packages/scripted-claude/src/scripted-model.js';

/* A scripted model in a process of its own, until its parent goes away: what it remembers is not the service's memory. */
const TURNS = 6;
const PACE_MS = 60;

function turns({ prompt, turn }: ModelRequest): Turn {
  const nonce = /Nonce: (\S+)/.exec(prompt)?.[1] ?? '';
  if (turn >= TURNS || prompt.includes('Be quick')) return structured({ nonce, summary: 'done' });
  const said = say(`Part ${turn} of ${TURNS} is next, as planned.`);
  // At the pace of a model that thinks.
  const doing = turn % 2 === 0 ? write(`part-${turn}.txt`, `${'text '.repeat(500)}\n`) : bash('ls -la; seq 2000');
  return drip({ everyMs: PACE_MS }, together(said, doing));
}

const model = await startScriptedModel({ clock: systemClock, scripts: [{ name: 'work', when: {}, turns }] });
process.once('disconnect', () => void model.close());
process.send?.(model.url);
