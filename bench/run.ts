import { benchIngest } from './ingest.js';
import { benchPocket } from './pocket.js';
import { benchSweep } from './sweep.js';

/** A benchmark: prints progress on stderr, returns figures. */
type Bench = (
  progress: (line: string) => void,
  options: { readonly quick: boolean },
) => Promise<Readonly<Record<string, number>>>;

const BENCHES: Readonly<Record<string, Bench>> = { ingest: benchIngest, pocket: benchPocket, sweep: benchSweep };

const [name = '', ...flags] = process.argv.slice(2);
const bench = BENCHES[name];
if (bench === undefined || flags.some((flag) => flag !== '--json' && flag !== '--quick')) {
  process.stderr.write(
    `usage: npm run bench -- NAME [--json] [--quick]\nNAME is one of: ${Object.keys(BENCHES).join(', ')}\n`,
  );
  process.exitCode = 2;
} else {
  const figures = await bench((line) => process.stderr.write(`${line}\n`), { quick: flags.includes('--quick') });
  const lines = Object.entries(figures).map(([key, value]) => `${key.padEnd(24)} ${value}`);
  process.stdout.write(flags.includes('--json') ? `${JSON.stringify(figures)}\n` : `${lines.join('\n')}\n`);
}
