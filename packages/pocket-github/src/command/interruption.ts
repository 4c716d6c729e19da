const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at Ctrl-C, SIGTERM or the end of the terminal; asked a second time, the process ends the hard way. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const asked = { times: 0 };
    // Keep this listener: execa's own listener ends the process if it is the only one.
    const stop = (): void => {
      asked.times += 1;
      if (asked.times > 1) process.exit(130);
      resolve();
    };
    for (const name of SIGNALS) process.on(name, stop);
  });
}
