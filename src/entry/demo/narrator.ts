import { formatDuration } from '../../domain/render/phrases/figures.js';
import type { Instant } from '../../ports/clock.js';
import type { Chapter, Story } from './story.js';

/** Where a narrator writes, and its clock. */
export interface Stage {
  readonly write: (text: string) => void;
  readonly now: () => Instant;
  /** How wide a line may be. */
  readonly columns: () => number;
}

/** Shows progress to people. */
export interface Narrator {
  say(line: string): void;
  /** A new issue is being driven. */
  begin(title: string): void;
  show(story: Story): void;
  /** Nothing more will happen to this issue. */
  end(): void;
}

/** For `--json`: stdout holds only the object. */
export const SILENT: Narrator = { say: () => {}, begin: () => {}, show: () => {}, end: () => {} };

/** Prints a line for each finished step: for files and pipes. */
export function plainNarrator({ write }: Stage): Narrator {
  const printed = new Set<string>();
  return {
    say: (line) => write(`${line}\n`),
    begin: (title) => {
      printed.clear();
      write(`\n${title}\n`);
    },
    show: ({ chapters }) => {
      for (const [index, chapter] of chapters.entries()) {
        const { phase, status, attempts, note } = chapter;
        const key = `${phase} ${attempts} ${status}`;
        if (chapter.since !== null || attempts === 0 || printed.has(key)) continue;
        printed.add(key);
        write(`[${index + 1}/${chapters.length}] ${phase} → ${status} (${note})\n`);
      }
    },
    end: () => {},
  };
}

const TICK_MS = 500;

/** Redraws a table in place: for terminals. */
export function tableNarrator(stage: Stage): Narrator {
  const shown: { title: string; story: Story | null; lines: number; tick: NodeJS.Timeout | null } = {
    title: '',
    story: null,
    lines: 0,
    tick: null,
  };
  const draw = (): void => {
    if (shown.story === null) return;
    const width = stage.columns() - 1;
    const rows = [shown.title, ...shown.story.chapters.map((chapter) => row(chapter, stage.now()))];
    const up = shown.lines === 0 ? '' : `\u001B[${shown.lines}A\u001B[0J`;
    stage.write(`${up}${rows.map((line) => `${line.slice(0, width)}\n`).join('')}`);
    shown.lines = rows.length;
  };
  return {
    say: (line) => stage.write(`${line}\n`),
    begin: (title) => {
      stage.write('\n');
      Object.assign(shown, { title, story: null, lines: 0, tick: setInterval(draw, TICK_MS).unref() });
    },
    show: (story) => {
      shown.story = story;
      draw();
    },
    end: () => {
      if (shown.tick !== null) clearInterval(shown.tick);
      draw();
      Object.assign(shown, { story: null, lines: 0, tick: null });
    },
  };
}

const MARKS: Readonly<Record<Chapter['status'], string>> = {
  'to come': '·',
  running: '▶',
  done: '✔',
  'not accepted': '✘',
};

function row({ phase, status, ms, since, attempts, note }: Chapter, now: Instant): string {
  const spent = ms + (since === null ? 0 : now - since);
  const time = status === 'to come' ? '' : formatDuration(spent);
  const again = attempts > 1 ? `${attempts}× ` : '';
  return `  ${MARKS[status]} ${phase.padEnd(7)} ${time.padStart(6)}  ${again}${note}`;
}
