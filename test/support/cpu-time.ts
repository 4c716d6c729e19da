/** The CPU time of a task in milliseconds, which does not depend on the load of the machine. */
export function cpuTimeOf(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
