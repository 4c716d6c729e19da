import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventFile } from '../../../../src/adapters/events/event-file.js';
import { ManualClock } from '#pocket-github/clock';
import { RecordingLog } from '../../../support/recording-log.js';

const DAY_MS = 24 * 60 * 60_000;

describe('events on disk', () => {
  const at = { folder: '', clock: new ManualClock(), log: new RecordingLog() };
  const folder = (): string => join(at.folder, 'events');
  const open = (limits: { maxBytes?: number; maxFiles?: number } = {}) =>
    new EventFile({ folder: folder(), clock: at.clock, log: at.log, ...limits });

  beforeEach(async () => {
    Object.assign(at, {
      folder: await mkdtemp(join(tmpdir(), 'events-')),
      clock: new ManualClock(),
      log: new RecordingLog(),
    });
  });
  afterEach(() => rm(at.folder, { recursive: true, force: true }));

  test('are one JSON object a line, a file a day, for nobody else to read', async () => {
    const file = open();
    await file.write({ n: 1, text: 'two\nlines' });
    await file.write({ n: 2 });
    at.clock.advance(DAY_MS);
    await file.write({ n: 3 });
    expect(await readdir(folder())).toEqual(['events-2026-01-05-001.jsonl', 'events-2026-01-06-001.jsonl']);
    const first = join(folder(), 'events-2026-01-05-001.jsonl');
    expect(await readFile(first, 'utf8')).toBe('{"n":1,"text":"two\\nlines"}\n{"n":2}\n');
    expect((await stat(first)).mode & 0o777).toBe(0o600);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
  });

  test('a file that has grown is left alone, also by the next process; the oldest go', async () => {
    for (let n = 1; n <= 6; n += 1) await open({ maxBytes: 10, maxFiles: 3 }).write({ number: n });
    expect(await readdir(folder())).toEqual([
      'events-2026-01-05-004.jsonl',
      'events-2026-01-05-005.jsonl',
      'events-2026-01-05-006.jsonl',
    ]);
    expect(await readFile(join(folder(), 'events-2026-01-05-006.jsonl'), 'utf8')).toBe('{"number":6}\n');
  });

  test('a disk that cannot be written to is said once, and breaks nothing', async () => {
    await writeFile(folder(), 'in the way');
    const file = open();
    await file.write({ n: 1 });
    await file.write({ n: 2 });
    expect(at.log.said('events not written to disk')).toHaveLength(1);
    await rm(folder());
    await file.write({ n: 3 });
    expect(await readFile(join(folder(), 'events-2026-01-05-001.jsonl'), 'utf8')).toBe('{"n":3}\n');
  });
});
