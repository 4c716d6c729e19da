const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at Ctrl-C, SIGTERM or the end of the terminal; asked a second time, the process ends the hard way. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const asked = { times: 0 };
    // The listener stays: execa's own ends the process as soon as it finds itself alone.
    const stop = (): void => {
      asked.times += 1;
      if (asked.times > 1) process.exit(130);
      resolve();
    };
    for (const name of SIGNALS) process.on(name, stop);
  });
}
