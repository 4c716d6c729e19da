import type { Instant } from '../issue/instant.js';
import type { WatchLimits } from './supervision-limits.js';

/** Why a step is ended from outside. */
export type StopReason =
  /** No event ever came. */
  | 'no-first-event'
  /** The stream is silent, and neither processor time nor files change. */
  | 'idle'
  /** It makes no progress, whether it is active or not. */
  | 'no-progress'
  /** The same message again and again. */
  | 'looped'
  /** The conversation was compacted too often. */
  | 'compacted'
  /** The model's window is nearly full; a fresh session continues. */
  | 'window-full'
  /** The run's active time is used up. */
  | 'timed-out'
  /** It has given its result, but its process does not exit. */
  | 'lingering';

export type WatchVerdict = { readonly kind: 'go-on' } | { readonly kind: 'stop'; readonly reason: StopReason };

/** What the service can observe of a step. */
export type WatchEvent =
  /** The agent has started. */
  | { readonly kind: 'init' }
  /** A part of the model's answer. Several parts may belong to one message. */
  | {
      readonly kind: 'message';
      readonly id: string;
      /** Hash of the content, to find repeated messages; `null` when there is nothing to compare. */
      readonly hash: string | null;
      /** How full the model's window was, in tokens; `null` for a subagent's answer, which has its own. */
      readonly windowTokens: number | null;
    }
  /** `isResult`: this tool gives the result, which ends the step. */
  | { readonly kind: 'tool-start'; readonly tool: string; readonly isResult: boolean }
  | { readonly kind: 'tool-end'; readonly tool: string; readonly hasChangedFiles: boolean }
  /** A request to the API failed and will be repeated after this time. */
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'compacted' }
  | { readonly kind: 'result' }
  /** Anything else on the stream: a part of a message, a heartbeat. */
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
  /** The API asked to wait until then. */
  readonly waitsUntil: Instant;
  readonly hasSpoken: boolean;
  readonly streamAt: Instant;
  /** The last time processor time or files showed activity. */
  readonly busyAt: Instant;
  readonly progressAt: Instant;
  readonly hasProgressed: boolean;
  readonly cpu: { readonly at: Instant; readonly usedMs: number };
  readonly openTools: readonly string[];
  readonly messageId: string | null;
  /** The current message gives the result, which ends the step. */
  readonly isGivingResult: boolean;
  readonly isWindowFull: boolean;
  readonly messages: readonly { readonly id: string; readonly hash: string }[];
  readonly compactions: number;
  readonly resultAt: Instant | null;
  /** The first reason is kept. */
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

/** Records an event at `now` and decides whether the step may continue. */
export function supervise(watch: Watch, event: WatchEvent, now: Instant): WatchResult {
  const counted = withTime(watch, event, now);
  const seen = withEvent(counted, event, now);
  const next = seen.stop === null ? { ...seen, stop: stopReason(seen, event, now) } : seen;
  return { watch: next, verdict: next.stop === null ? { kind: 'go-on' } : { kind: 'stop', reason: next.stop } };
}

const isOfStream = ({ kind }: WatchEvent): boolean => kind !== 'cpu' && kind !== 'files-changed' && kind !== 'tick';

/** Splits the time since the last event into active and waiting time. Any event of the stream ends the waiting. */
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

/** Far more than run at once. The list is copied with each start, so without a limit forged starts could slow us down. */
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

/** A change to the files starts a new search for loops, unless the same message already occurred before. */
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
  // After the result only the end of the process is left to wait for.
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

/** A started step counts as stalled only when both its stream and its processes and files show no activity. */
function stallReason(watch: Watch, now: Instant): StopReason | null {
  const { limits, waitsUntil } = watch;
  const since = (moment: Instant): number => now - Math.max(moment, waitsUntil);
  if (!watch.hasSpoken) return since(watch.startedAt) >= limits.firstEventMs ? 'no-first-event' : null;
  const quietMs = Math.min(since(watch.streamAt), since(watch.busyAt));
  if (quietMs >= (watch.openTools.length > 0 ? limits.toolIdleMs : limits.idleMs)) return 'idle';
  const grace = quietMs >= Math.min(limits.idleMs, limits.progressMs) ? 0 : limits.graceMs;
  return since(watch.progressAt) >= limits.progressMs + grace ? 'no-progress' : null;
}

/** Time until the next check if no event comes: the usual interval, or less when a limit is reached sooner. */
export function nextCheckMs({ limits, capMs, activeMs, waitsUntil, seenAt, resultAt }: Watch): number {
  const untilCap = capMs - activeMs + Math.max(0, waitsUntil - seenAt);
  const untilLinger = resultAt === null ? limits.tickMs : resultAt + limits.lingerMs - seenAt;
  return Math.max(1, Math.min(limits.tickMs, untilCap, untilLinger));
}
