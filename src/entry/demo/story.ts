import type { Phase } from '../../domain/issue/phase.js';
import { phasesOf, type Route, routeOf } from '../../domain/issue/route.js';
import type { Size } from '../../domain/issue/size.js';
import type { IssueState } from '../../domain/state/state.js';
import type { Instant } from '../../ports/clock.js';

/** One phase as people see it. */
export interface Chapter {
  readonly phase: Phase;
  readonly status: 'to come' | 'running' | 'done' | 'not accepted';
  /** Active time of all runs so far. */
  readonly ms: number;
  readonly attempts: number;
  readonly since: Instant | null;
  readonly note: string;
}

/** The progress of an issue, from the states that were swapped in. */
export interface Story {
  readonly size: Size | null;
  readonly route: Route | null;
  readonly costUsd: number;
  readonly chapters: readonly Chapter[];
}

/** Before triage only triage itself is known. */
export const EMPTY_STORY: Story = { size: null, route: null, costUsd: 0, chapters: [toCome('issue')] };

/** The story after one more state. */
export function advanceStory(story: Story, state: IssueState, now: Instant): Story {
  const { triage, pullReason } = state.progress;
  const size = triage?.size ?? null;
  const options = state.run?.options ?? {};
  const route = size === null ? null : routeOf({ size, options, baseProtected: false, pullReason });
  const phases = route === null ? (['issue'] as const) : phasesOf(route, size).filter((phase) => phase !== 'done');
  const chapters = phases.map((phase) => story.chapters.find((chapter) => chapter.phase === phase) ?? toCome(phase));
  return {
    size,
    route,
    costUsd: state.spentUsd,
    chapters: chapters.map((chapter) => advanceChapter(chapter, state, now)),
  };
}

function advanceChapter(chapter: Chapter, state: IssueState, now: Instant): Chapter {
  const last = state.transitions.at(-1);
  const { phase } = chapter;
  if (last?.phase === phase && last.ms !== undefined) {
    const status = state.counters.failures === 0 ? 'done' : 'not accepted';
    const { ms, attempts } = chapter;
    return { phase, status, ms: ms + last.ms, attempts: attempts + 1, since: null, note: last.because };
  }
  if (state.lease?.phase === phase) return { ...chapter, status: 'running', since: chapter.since ?? now };
  // Merging runs no agent: it begins when it is recorded, and ends with the next transition.
  if (phase !== 'merge') return chapter;
  if (last?.phase === 'merge')
    return { ...chapter, status: 'running', since: chapter.since ?? now, note: last.because };
  if (chapter.since === null) return chapter;
  return {
    ...chapter,
    status: 'done',
    ms: chapter.ms + now - chapter.since,
    attempts: chapter.attempts + 1,
    since: null,
  };
}

function toCome(phase: Phase): Chapter {
  return { phase, status: 'to come', ms: 0, attempts: 0, since: null, note: '' };
}
