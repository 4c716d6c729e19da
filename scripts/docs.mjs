// Writes the generated parts of the documentation from the code; `--check` only says whether they are current.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { RESOURCES } = await import(join(root, 'build/packages/pocket-github/src/resources/index.js'));
const { commandTable, exampleTable, optionTable } = await import(
  join(root, 'build/src/domain/commands/command-help.js')
);
const { ISSUE_LIMITS, PHASE_LIMITS } = await import(join(root, 'build/src/domain/limits/budget-table.js'));
const { WATCH_LIMITS } = await import(join(root, 'build/src/domain/agent/supervision-limits.js'));
const { RUN_CAPS } = await import(join(root, 'build/src/domain/agent/next-step.js'));
const { TIERS } = await import(join(root, 'build/src/domain/limits/tier.js'));
const { LABELS } = await import(join(root, 'build/src/domain/issue/label.js'));
const { HALT_CODES } = await import(join(root, 'build/src/domain/issue/halt-codes.js'));
const { WAITS } = await import(join(root, 'build/src/domain/render/status/waits.js'));
const { openApi } = await import(join(root, 'build/src/entry/api/open-api.js'));
const { ROUTES } = await import(join(root, 'build/src/entry/api/routes.js'));

const documents = {
  'docs/commands.md': { commands: commandTable(), options: optionTable(), examples: exampleTable() },
  'docs/fidelity.md': { 'rest routes': restTable(), 'graphql fields': graphqlTable(), webhooks: webhookTable() },
  'docs/money.md': {
    'phase limits': bySize(PHASE_LIMITS, (row) => `$${row.budgetUsd}, ${row.maxTurns}, ${row.capMs / 60_000}`),
    'issue limits': bySize(
      { 'USD, active minutes': ISSUE_LIMITS },
      (row) => `$${row.budgetUsd}, ${row.activeMs / 60_000}`,
    ),
    tiers: bySize(TIERS, (tier) => tier),
  },
  'docs/supervision.md': { 'watch limits': watchTable(WATCH_LIMITS), 'run caps': capTable(RUN_CAPS) },
  'docs/labels.md': { labels: labelTable() },
  'docs/stuck.md': { waits: waitTable(), stops: stopTable() },
  'docs/api.md': { requests: apiTable(), 'options of a run': apiOptionTable() },
};

const files = { 'docs/openapi.json': `${JSON.stringify(openApi(), null, 2)}\n` };

let stale = 0;
for (const [path, parts] of Object.entries(documents)) {
  const before = readFileSync(join(root, path), 'utf8');
  keep(
    path,
    before,
    Object.entries(parts).reduce((text, [name, content]) => replacePart(text, name, content, path), before),
  );
}
for (const [path, text] of Object.entries(files))
  keep(path, existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '', text);
if (process.argv.includes('--check') && stale > 0) process.exitCode = 1;

function keep(path, before, after) {
  if (after === before) return;
  stale += 1;
  if (process.argv.includes('--check')) process.stderr.write(`${path} is not current: run npm run docs\n`);
  else writeFileSync(join(root, path), after);
}

function replacePart(text, name, content, path) {
  const pattern = new RegExp(`(<!-- generated: ${name} -->)[^]*?(<!-- end -->)`);
  if (!pattern.test(text)) throw new Error(`${path} has no part "${name}"`);
  return text.replace(pattern, (_, start, end) => `${start}\n\n${content}\n\n${end}`);
}

function bySize(rows, cell) {
  const sizes = ['XS', 'S', 'M', 'L', 'XL'];
  const lines = Object.entries(rows).map(
    ([name, row]) => `| ${name} | ${sizes.map((size) => cell(row[size])).join(' | ')} |`,
  );
  return [`| | ${sizes.join(' | ')} |`, `|---|${'---|'.repeat(sizes.length)}`, ...lines].join('\n');
}

function watchTable(limits) {
  const time = (ms) => (ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`);
  return table('limit', {
    'to the first event': time(limits.firstEventMs),
    'silence while the model works': time(limits.idleMs),
    'silence while a tool runs': time(limits.toolIdleMs),
    'nothing achieved': `${time(limits.progressMs)}, and ${time(limits.graceMs)} more while it is active`,
    'the same message': `${limits.loopRepeats} of the last ${limits.loopWindow}`,
    'compactions in a step': limits.maxCompactions,
    'alive after its result': time(limits.lingerMs),
    'share of the model’s window before it hands over': `${limits.windowShare * 100} %`,
    'active time': 'by phase and size, see [money.md](money.md)',
  });
}

function capTable(caps) {
  return table('at most', {
    'recoveries in a row without anything achieved': caps.recoveriesPerStep,
    'recoveries in a run': caps.recoveriesPerRun,
    'failures of a session before it is left': caps.failuresPerSession,
    'reminders that a result or artefact is missing': caps.noOps,
    'fresh starts because the work did not fit': caps.overflows,
    'handovers because a window was nearly full': caps.handovers,
  });
}

function table(title, rows) {
  return [`| | ${title} |`, '|---|---|', ...Object.entries(rows).map(([name, value]) => `| ${name} | ${value} |`)].join(
    '\n',
  );
}

function restTable() {
  const rows = RESOURCES.flatMap((resource) =>
    (resource.routes ?? []).map((route) => ({ resource: resource.name, ...route })),
  );
  const lines = rows.map(({ operation, resource, access }) => {
    const need = typeof access === 'string' ? access : `${access.app.replace(':', ': ')}, or ${access.role}`;
    return `| \`${operation}\` | ${resource} | ${need} |`;
  });
  return [
    `${rows.length} routes.`,
    '',
    '| route | resource | App permission, or user role |',
    '|---|---|---|',
    ...lines.sort(),
  ].join('\n');
}

function graphqlTable() {
  const types = new Map();
  for (const { resolvers } of RESOURCES) {
    for (const [type, fields] of Object.entries(resolvers ?? {}))
      types.set(type, [...(types.get(type) ?? []), ...Object.keys(fields)]);
  }
  const count = [...types.values()].reduce((sum, fields) => sum + fields.length, 0);
  const lines = [...types]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(
      ([type, fields]) =>
        `| ${type} | ${fields
          .sort()
          .map((field) => `\`${field}\``)
          .join(' ')} |`,
    );
  return [`${count} fields of ${types.size} types.`, '', '| type | fields |', '|---|---|', ...lines].join('\n');
}

function apiTable() {
  const lines = ROUTES.map(({ method, path, summary, answers }) => {
    const statuses = Object.keys(answers).join(' ');
    return `| \`${method} ${path}\` | ${summary} | ${statuses} |`;
  });
  return ['| request | what it does | answers |', '|---|---|---|', ...lines].join('\n');
}

function apiOptionTable() {
  const { body } = ROUTES.find(({ operation }) => operation === 'startRun');
  const { properties } = z.toJSONSchema(body, { io: 'input' });
  const lines = Object.entries(properties).map(([name, { type, enum: choices, description = '' }]) => {
    const value = choices === undefined ? type : choices.map((choice) => `\`${choice}\``).join(' ');
    return `| \`${name}\` | ${value} | ${description} |`;
  });
  return ['| name | value | as |', '|---|---|---|', ...lines].join('\n');
}

function labelTable() {
  const lines = LABELS.map(({ name, description }) => `| \`${name}\` | ${description} |`);
  return ['| label | what it says |', '|---|---|', ...lines].join('\n');
}

function waitTable() {
  const lines = Object.values(WAITS).map(({ what, help }) => `| Waiting for ${what} | ${help} |`);
  return ['| headline | what follows, and what you can do |', '|---|---|', ...lines].join('\n');
}

function stopTable() {
  const lines = Object.entries(HALT_CODES).map(
    ([code, { message, remedy }]) => `| \`${code}\` | ${message} | ${remedy} |`,
  );
  return ['| code | what happened | what you can do |', '|---|---|---|', ...lines].join('\n');
}

function webhookTable() {
  const lines = RESOURCES.filter((resource) => Object.keys(resource.payloads ?? {}).length > 0).map(
    (resource) => `| ${resource.name} | ${Object.keys(resource.payloads).sort().join(', ')} |`,
  );
  return [
    'What happens, by the resource that tells of it:',
    '',
    '| resource | happenings with a webhook |',
    '|---|---|',
    ...lines.sort(),
  ].join('\n');
}
