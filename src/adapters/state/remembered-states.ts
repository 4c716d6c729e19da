import { formatIssue, type Oid } from '../../domain/issue/ids.js';
import { toKnownState, newestKnownState, compareStateAge } from '../../domain/state/known-state.js';
import type { KnownState, StateReading } from '../../domain/state/snapshot.js';
import type { GitHost } from '../../ports/git-host.js';
import type { HintStore } from '../../ports/hint-store.js';
import type { Log } from '../../ports/log.js';
import type { StateStore, StateSubject } from '../../ports/state-store.js';
import type { StateSealFormat } from './state-seal.js';

export interface RememberedStatesParts {
  readonly gitHost: Pick<GitHost, 'contains'>;
  readonly hints: HintStore;
  /** The GitHub host, because repository ids are unique only there. */
  readonly host: string;
  readonly seals: StateSealFormat;
  readonly log: Log;
}

/** After this long without a change only the status comment remembers the state. */
const KEPT_MS = 90 * 24 * 60 * 60_000;

/**
 * Wraps a store to detect an older state that was pushed back onto the ref. A signature proves that a state is ours, not that it is the
 * newest. The newest is remembered in Redis and in the seal of the status comment; the newer of the two counts.
 */
export function withRememberedStates(states: StateStore, parts: RememberedStatesParts): StateStore {
  const memory = createMemory(parts);

  /** Whether a state that git shows is the newest known. */
  const settle = async (subject: StateSubject, read: StateReading, known: KnownState): Promise<StateReading> => {
    if (read.kind === 'none') return known.isDone ? { kind: 'none', known } : { ...GONE, known };
    if (read.kind === 'unverifiable') return { ...read, known };
    const found = toKnownState(read.state, read.oid);
    const comparison = compareStateAge(found, known);
    const isNewest =
      comparison === 'newest' ||
      (comparison === 'open' && (await parts.gitHost.contains(subject.ref, read.oid, known.oid)));
    if (isNewest) return read;
    parts.log.error({ issue: formatIssue(subject.ref), found, known }, 'state ref rolled back');
    return { kind: 'unverifiable', oid: read.oid, why: whyOlder(found, known), known };
  };

  const read: StateStore['read'] = async (subject, raw, seals = []) => {
    const recalled = await memory.recall(subject);
    const shown = seals.map((seal) => parts.seals.parse(subject, seal));
    const known = newestKnownState([recalled, ...shown]);
    const first = await states.read(subject, raw);
    const reading = await judgeReading(subject, { first, known, isFetched: raw === null || raw.text === null });
    if (reading.kind === 'valid' && reading.oid !== recalled?.oid)
      await memory.remember(subject, toKnownState(reading.state, reading.oid), recalled);
    return reading;
  };

  /** GitHub's API lags. A mismatch is read again by git, which does not, before it counts as tampering. */
  const judgeReading = async (
    subject: StateSubject,
    { first, known, isFetched }: { first: StateReading; known: KnownState | null; isFetched: boolean },
  ): Promise<StateReading> => {
    const isPlain = first.kind === 'valid' && compareStateAge(toKnownState(first.state, first.oid), known) === 'newest';
    if (isPlain) return first;
    const settled = isFetched ? first : await states.read(subject, null);
    return known === null ? settled : settle(subject, settled, known);
  };

  return {
    ...states,
    read,
    swap: async (swap) => {
      const result = await states.swap(swap);
      if (result.kind === 'swapped') {
        const recalled = await memory.recall(swap.subject);
        await memory.remember(swap.subject, toKnownState(swap.next, result.oid), recalled);
      }
      return result;
    },
  };
}

const GONE = { kind: 'unverifiable', oid: null, why: 'its ref was deleted before the issue was done' } as const;

function whyOlder(found: KnownState, known: KnownState): string {
  const short = (oid: Oid): string => oid.slice(0, 12);
  return `somebody put an older state back: it is ${short(found.oid)} of epoch ${found.epoch}, and the newest one was ${short(known.oid)} of epoch ${known.epoch}`;
}

/** The newest states in Redis. A lost one is harmless, and nothing waits or fails for it. */
function createMemory({ hints, host, seals, log }: RememberedStatesParts) {
  const key = ({ repositoryDatabaseId: id, ref }: StateSubject): string => `state ${host} ${id}#${ref.number}`;
  const lost = (error: unknown): null => {
    log.warn({ error: String(error) }, 'newest known states unavailable');
    return null;
  };
  return {
    recall: async (subject: StateSubject): Promise<KnownState | null> => {
      const seal = await hints.get(key(subject)).catch(lost);
      return seal === null ? null : seals.parse(subject, seal);
    },
    /** Never replaces a newer state by an older one. */
    remember: async (subject: StateSubject, known: KnownState, recalled: KnownState | null): Promise<void> => {
      const seal = seals.format(subject, known);
      if (seal === null || (recalled !== null && recalled.epoch > known.epoch)) return;
      await hints.set(key(subject), seal, KEPT_MS).catch(lost);
    },
  };
}
