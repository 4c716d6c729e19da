// Records what the real `claude` CLI prints, against the scripted model, into test/fixtures/claude/*.jsonl.
// Run it after raising the CLI's version: `npm run build && node scripts/record-claude.mjs`, then read the diff.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../build/src/adapters/clock/system-clock.js';
import {
  bash,
  creditTooLow,
  cut,
  fail,
  promptTooLong,
  rateLimit,
  refuse,
  say,
  startScriptedModel,
  structured,
  usageLimit,
  write,
} from '#scripted-claude';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'test/fixtures/claude');
const schema = { type: 'object', properties: { nonce: { type: 'string' } }, required: ['nonce'] };
const result = structured({ nonce: 'n-1' });

/** Name → what the model does, with the arguments and environment that differ from the usual ones. */
const CASES = {
  succeeded: { turns: [bash('echo hello'), write('made.txt', 'hello\n'), result] },
  'text-only': { turns: [say('All done.'), say('Really, all done.')] },
  'schema-never-met': { turns: () => structured({ wrong: true }) },
  'max-turns': { turns: () => bash('true'), args: ['--max-turns', '2'] },
  'max-budget': { turns: () => bash('true', { usage: { inputTokens: 900_000 } }), args: ['--max-budget-usd', '0.5'] },
  'wrong-key': { turns: [fail(401)] },
  forbidden: { turns: [fail(403)] },
  'no-credit': { turns: [creditTooLow()] },
  'unknown-model': { turns: [fail(404)], args: ['--model', 'claude-none-1'] },
  'rate-limit': { turns: [rateLimit({ retryAfterSeconds: 3600 })] },
  'usage-limit': { turns: [usageLimit({ resetAt: Date.UTC(2030, 0, 5, 12) })], oauth: true },
  'server-error': { turns: [fail(500)] },
  overloaded: { turns: [fail(529)], env: { CLAUDE_CODE_MAX_RETRIES: '1' } },
  'prompt-too-long': { turns: [promptTooLong()] },
  refused: { turns: () => refuse() },
  'cut-and-recovered': { turns: [cut({ times: 1 }), result], env: { CLAUDE_CODE_MAX_RETRIES: '1' } },
  unreachable: { turns: [], env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' } },
};

const model = await startScriptedModel({ clock: systemClock, scripts: [] });
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const [name, options] of Object.entries(CASES)) {
  model.setScripts([{ name, when: {}, turns: options.turns }]);
  const folder = mkdtempSync(join(tmpdir(), 'record-claude-'));
  const lines = (await run(folder, options)).trim().split('\n');
  writeFileSync(join(target, `${name}.jsonl`), tidy(lines, folder));
  rmSync(folder, { recursive: true, force: true });
  process.stdout.write(`${name}\n`);
}
await model.close();

function run(folder, { args = [], env = {}, oauth = false }) {
  const credential = oauth ? { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-x' } : { ANTHROPIC_API_KEY: 'sk-ant-api03-x' };
  const fixed = ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'];
  const policy = ['--setting-sources', '', '--strict-mcp-config', '--dangerously-skip-permissions'];
  const child = spawn(
    join(root, 'node_modules/.bin/claude'),
    [...fixed, ...policy, '--json-schema', JSON.stringify(schema), ...args],
    {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        HOME: join(folder, 'home'),
        TMPDIR: folder,
        PATH: process.env.PATH,
        ANTHROPIC_BASE_URL: model.url,
        CLAUDE_CODE_MAX_RETRIES: '0',
        CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        IS_SANDBOX: '1',
        ...credential,
        ...env,
      },
    },
  );
  child.stdin.end('Do the work.');
  return new Promise((resolve) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('close', () => resolve(output));
  });
}

/** Makes recordings small and reproducible: ids, times and paths are replaced, long lists and most partial messages dropped. */
function tidy(lines, folder) {
  const ids = new Map();
  const idOf = (id) => ids.get(id) ?? ids.set(id, `id-${ids.size + 1}`).get(id);
  let partial = 0;
  return lines
    .filter((line) => !line.includes('"type":"stream_event"') || (partial += 1) <= 3)
    .map((line) =>
      JSON.stringify(JSON.parse(line), (key, value) => {
        if (key.endsWith('_ms') || key === 'timestamp') return key === 'timestamp' ? '2026-01-05T09:00:00.000Z' : 1;
        if (Array.isArray(value) && value.length > 4 && value.every((item) => typeof item === 'string')) {
          return value.slice(0, 2);
        }
        return value;
      })
        .replaceAll(folder, '/clone')
        .replace(/\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:msg|req|toolu)_\w+)\b/g, idOf),
    )
    .map((line) => `${line}\n`)
    .join('');
}
