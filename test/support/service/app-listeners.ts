import type { Probot } from 'probot';
import type { GitHubEvent } from '../../../src/domain/intent/github-event.js';
import { sluiceApp } from '../../../src/entry/webhooks/app.js';
import type { Self } from '../../../src/entry/webhooks/events/payload-shapes.js';

type Listener = (webhook: { readonly id: string; readonly payload: object }) => unknown;

/** The app's listeners, called as Probot calls them. Without Probot, which takes long to load. */
export interface AppListeners {
  /** What the app listens to, as GitHub calls it: `issues.labeled`, `status` … */
  readonly names: readonly string[];
  readonly parse: (name: string, payload: unknown) => Promise<readonly GitHubEvent[]>;
}

export function loadListeners(self: Self): AppListeners {
  const listeners: { readonly name: string; readonly listener: Listener }[] = [];
  const events: GitHubEvent[] = [];
  const on = (names: string | readonly string[], listener: Listener): void => {
    for (const name of [names].flat()) listeners.push({ name, listener });
  };
  const enqueue = async (event: GitHubEvent): Promise<void> => void events.push(event);
  sluiceApp({ self, enqueue })({ on } as Pick<Probot, 'on'>);
  return {
    names: listeners.map(({ name }) => name),
    parse: async (name, payload) => {
      const { action } = payload as { readonly action?: string };
      const called = listeners.filter((one) => one.name === name || one.name === `${name}.${action}`);
      for (const { listener } of called) await listener({ id: '1', payload: payload as object });
      return events.splice(0);
    },
  };
}
