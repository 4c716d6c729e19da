import { systemClock } from '../src/adapters/clock/system-clock.js';
import {
  bash,
  drip,
  type ModelRequest,
  say,
  startScriptedModel,
  structured,
  together,
  type Turn,
  write,
} from '#scripted-claude';

/* A scripted model in its own process, so that its memory is not counted as the service's. Ends with its parent. */
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
