import type { Instant } from '../issue/instant.js';
import type { WatchLimits } from './supervision-limits.js';

/** Why a step is ended from outside. */
export type StopReason =
  /** It never said a word. */
  | 'no-first-event'
  /** Silent, and nothing else moves either. */
  | 'idle'
  /** Lively or not, it achieves nothing. */
  | 'no-progress'
  /** The same message again and again. */
  | 'looped'
  /** The model's window overflows again and again. */
  | 'compacted'
  /** The model's window is nearly full: somebody fresh goes on. */
  | 'window-full'
  /** The run's active time is used up. */
  | 'timed-out'
  /** It has given its result and does not end. */
  | 'lingering';

export type WatchVerdict = { readonly kind: 'go-on' } | { readonly kind: 'stop'; readonly reason: StopReason };

/** What can be seen of a step from outside. */
export type WatchEvent =
  /** The agent is up. */
  | { readonly kind: 'init' }
  /** A part of an answer of the model: several may belong to one. */
  | {
      readonly kind: 'message';
      readonly id: string;
      /** Tells what it says from what others say; `null` when it says nothing to compare. */
      readonly hash: string | null;
      /** How full the model's window was, in tokens; `null` for a subagent's answer, which has its own. */
      readonly windowTokens: number | null;
    }
  /** `isResult`: the tool by which the result is given, which ends the step by itself. */
  | { readonly kind: 'tool-start'; readonly tool: string; readonly isResult: boolean }
  | { readonly kind: 'tool-end'; readonly tool: string; readonly hasChangedFiles: boolean }
  /** The API was asked in vain and will be asked again after this time. */
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'compacted' }
  | { readonly kind: 'result' }
  /** Any other sign on the stream: a part of a message, a heartbeat. */
  | { readonly kind: 'stir' }
  /** Processor time of all processes of the step so far. */
  | { readonly kind: 'cpu'; readonly usedMs: number }
  | { readonly kind: 'files-changed' }
  | { readonly kind: 'tick' };

/** What is known of a step while it runs. */
export interface Watch {
  readonly limits: WatchLimits;
  /** Active time this step may take. */
  readonly capMs: number;
  readonly windowTokens: number;
  readonly startedAt: Instant;
  /** The moment up to which time is accounted for. */
  readonly seenAt: Instant;
  readonly activeMs: number;
  readonly waitedMs: number;
  /** Until then the API asked for patience. */
  readonly waitsUntil: Instant;
  readonly hasSpoken: boolean;
  readonly streamAt: Instant;
  /** The last time processor or files showed that something is going on. */
  readonly busyAt: Instant;
  readonly progressAt: Instant;
  readonly hasProgressed: boolean;
  readonly cpu: { readonly at: Instant; readonly usedMs: number };
  readonly openTools: readonly string[];
  readonly messageId: string | null;
  /** The message at hand gives the result, which ends the step by itself. */
  readonly isGivingResult: boolean;
  readonly isWindowFull: boolean;
  readonly messages: readonly { readonly id: string; readonly hash: string }[];
  readonly compactions: number;
  readonly resultAt: Instant | null;
  /** The first reason stands. */
  readonly stop: StopReason | null;
}

export interface WatchResult {
  readonly watch: Watch;
  readonly verdict: WatchVerdict;
}

export function startWatch(
  now: Instant,
  { limits, capMs, windowTokens }: Pick<Watch, 'limits' | 'capMs' | 'windowTokens'>,
): Watch {
  return {
    limits,
    capMs,
    windowTokens,
    startedAt: now,
    seenAt: now,
    activeMs: 0,
    waitedMs: 0,
    waitsUntil: now,
    hasSpoken: false,
    streamAt: now,
    busyAt: now,
    progressAt: now,
    hasProgressed: false,
    cpu: { at: now, usedMs: 0 },
    openTools: [],
    messageId: null,
    isGivingResult: false,
    isWindowFull: false,
    messages: [],
    compactions: 0,
    resultAt: null,
    stop: null,
  };
}

/** Takes in what was seen at `now`, and says whether the step may go on. */
export function supervise(watch: Watch, event: WatchEvent, now: Instant): WatchResult {
  const counted = withTime(watch, event, now);
  const seen = withEvent(counted, event, now);
  const next = seen.stop === null ? { ...seen, stop: stopReason(seen, event, now) } : seen;
  return { watch: next, verdict: next.stop === null ? { kind: 'go-on' } : { kind: 'stop', reason: next.stop } };
}

const isOfStream = ({ kind }: WatchEvent): boolean => kind !== 'cpu' && kind !== 'files-changed' && kind !== 'tick';

/** Splits the time since the last look into active and waiting. A word from the stream ends the waiting. */
function withTime(watch: Watch, event: WatchEvent, now: Instant): Watch {
  const passed = Math.max(0, now - watch.seenAt);
  const waited = Math.min(passed, Math.max(0, watch.waitsUntil - watch.seenAt));
  return {
    ...watch,
    seenAt: watch.seenAt + passed,
    activeMs: watch.activeMs + passed - waited,
    waitedMs: watch.waitedMs + waited,
    waitsUntil: isOfStream(event) ? Math.min(watch.waitsUntil, watch.seenAt + passed) : watch.waitsUntil,
  };
}

/** Far more than run at once: all are copied with each that starts, and whoever forges starts could keep us busy. */
const MOST_OPEN_TOOLS = 100;

function withEvent(watch: Watch, event: WatchEvent, now: Instant): Watch {
  const noticed = isOfStream(event) ? { ...watch, hasSpoken: true, streamAt: now } : watch;
  switch (event.kind) {
    case 'init':
    case 'stir':
    case 'tick':
      return noticed;
    case 'message':
      return withMessage({ ...noticed, progressAt: now }, event);
    case 'tool-start': {
      const openTools = [...noticed.openTools, event.tool].slice(-MOST_OPEN_TOOLS);
      return { ...noticed, openTools, isGivingResult: noticed.isGivingResult || event.isResult };
    }
    case 'tool-end':
      return withToolEnd({ ...noticed, progressAt: now, hasProgressed: true }, event);
    case 'retry':
      return { ...noticed, waitsUntil: now + Math.max(0, event.delayMs) };
    case 'compacted':
      return { ...noticed, compactions: noticed.compactions + 1 };
    case 'result':
      return { ...noticed, resultAt: noticed.resultAt ?? now };
    case 'cpu':
      return withCpu(noticed, event.usedMs, now);
    case 'files-changed':
      return { ...noticed, busyAt: now, progressAt: now, hasProgressed: true };
  }
}

function withMessage(watch: Watch, { id, hash, windowTokens }: Extract<WatchEvent, { kind: 'message' }>): Watch {
  const share = watch.limits.windowShare * watch.windowTokens;
  const seen = {
    ...watch,
    messageId: id,
    isGivingResult: id === watch.messageId && watch.isGivingResult,
    isWindowFull: windowTokens === null ? watch.isWindowFull : windowTokens >= share,
  };
  if (hash === null) return seen;
  const last = watch.messages.at(-1);
  const messages =
    last?.id === id
      ? [...watch.messages.slice(0, -1), { id, hash: `${last.hash}+${hash}` }]
      : [...watch.messages, { id, hash }].slice(-watch.limits.loopWindow);
  return { ...seen, messages };
}

/** A change to the files makes what follows something new, unless the very same change was made before. */
function withToolEnd(watch: Watch, { tool, hasChangedFiles }: Extract<WatchEvent, { kind: 'tool-end' }>): Watch {
  const openTools = watch.openTools.filter((open) => open !== tool);
  const last = watch.messages.at(-1);
  const isRepeated = watch.messages.slice(0, -1).some(({ hash }) => hash === last?.hash);
  const messages = hasChangedFiles && !isRepeated && last !== undefined ? [last] : watch.messages;
  return { ...watch, openTools, messages };
}

function withCpu(watch: Watch, usedMs: number, now: Instant): Watch {
  const passed = now - watch.cpu.at;
  const isBusy = passed > 0 && usedMs - watch.cpu.usedMs >= watch.limits.busyShare * passed;
  return { ...watch, cpu: { at: now, usedMs }, busyAt: isBusy ? now : watch.busyAt };
}

function stopReason(watch: Watch, event: WatchEvent, now: Instant): StopReason | null {
  const { limits, resultAt } = watch;
  // With a result there is nothing left to wait for but the end of the process.
  if (resultAt !== null) return now - resultAt >= limits.lingerMs ? 'lingering' : null;
  if (watch.activeMs >= watch.capMs) return 'timed-out';
  if (isLooping(watch)) return 'looped';
  if (watch.compactions >= limits.maxCompactions) return 'compacted';
  const isBetweenTools = watch.openTools.length === 0 && !watch.isGivingResult;
  if (event.kind === 'tool-end' && watch.isWindowFull && isBetweenTools) return 'window-full';
  return stallReason(watch, now);
}

function isLooping({ limits, messages }: Watch): boolean {
  const same = messages.filter(({ hash }) => hash === messages.at(-1)?.hash);
  return same.length >= limits.loopRepeats;
}

/** Two things have to fail before one that is up is called stalled: the stream, and everything else that moves. */
function stallReason(watch: Watch, now: Instant): StopReason | null {
  const { limits, waitsUntil } = watch;
  const since = (moment: Instant): number => now - Math.max(moment, waitsUntil);
  if (!watch.hasSpoken) return since(watch.startedAt) >= limits.firstEventMs ? 'no-first-event' : null;
  const quietMs = Math.min(since(watch.streamAt), since(watch.busyAt));
  if (quietMs >= (watch.openTools.length > 0 ? limits.toolIdleMs : limits.idleMs)) return 'idle';
  const grace = quietMs >= Math.min(limits.idleMs, limits.progressMs) ? 0 : limits.graceMs;
  return since(watch.progressAt) >= limits.progressMs + grace ? 'no-progress' : null;
}

/** How long nothing needs to be looked at, if nothing is heard: the usual while, or less where an end is in sight. */
export function nextCheckMs({ limits, capMs, activeMs, waitsUntil, seenAt, resultAt }: Watch): number {
  const untilCap = capMs - activeMs + Math.max(0, waitsUntil - seenAt);
  const untilLinger = resultAt === null ? limits.tickMs : resultAt + limits.lingerMs - seenAt;
  return Math.max(1, Math.min(limits.tickMs, untilCap, untilLinger));
}
