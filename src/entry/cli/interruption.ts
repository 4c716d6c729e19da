const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that aborts at Ctrl-C, SIGTERM or the end of the terminal. The second time the process exits at once. */
export function interruption(): { readonly signal: AbortSignal; readonly forget: () => void } {
  const controller = new AbortController();
  // The listener stays, because execa's own one ends the process when it is the only one.
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, stop);
  return {
    signal: controller.signal,
    forget: () => {
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
}

/** Resolves when the signal aborts. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
