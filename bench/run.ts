import { parseArgs } from 'node:util';
import { benchAgents } from './agents.js';
import { benchModelGate } from './model-gate.js';
import { benchIngest } from './ingest.js';
import { benchPocket } from './pocket.js';
import { benchSweep } from './sweep.js';

interface BenchOptions {
  /** How long it runs, if that can be chosen. */
  readonly minutes?: number | undefined;
  /** A short run instead of the full one, if there is one. */
  readonly quick: boolean;
}

/** A benchmark: prints progress on stderr, returns figures. */
type Bench = (progress: (line: string) => void, options: BenchOptions) => Promise<Readonly<Record<string, number>>>;

const BENCHES: Readonly<Record<string, Bench>> = {
  agents: benchAgents,
  'model-gate': benchModelGate,
  ingest: benchIngest,
  pocket: benchPocket,
  sweep: benchSweep,
};

const FLAGS = { json: { type: 'boolean' }, quick: { type: 'boolean' }, minutes: { type: 'string' } } as const;

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS });
    const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
    if (minutes !== undefined && !(minutes > 0)) return null;
    return { json: values.json === true, quick: values.quick === true, minutes };
  } catch {
    return null;
  }
}

const [name = '', ...args] = process.argv.slice(2);
const bench = BENCHES[name];
const flags = parse(args);
if (bench === undefined || flags === null) {
  process.stderr.write(
    `usage: npm run bench -- NAME [--json] [--quick] [--minutes N]\nNAME is one of: ${Object.keys(BENCHES).join(', ')}\n`,
  );
  process.exitCode = 2;
} else {
  const figures = await bench((line) => process.stderr.write(`${line}\n`), flags);
  const lines = Object.entries(figures).map(([key, value]) => `${key.padEnd(24)} ${value}`);
  process.stdout.write(flags.json ? `${JSON.stringify(figures)}\n` : `${lines.join('\n')}\n`);
}
