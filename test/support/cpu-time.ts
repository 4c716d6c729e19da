/** The computing time a task takes, in milliseconds: what else the machine does meanwhile is not counted. */
export function cpuTimeOf(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
