import type { GitPerson } from '../../git/git-repository.js';

/** When somebody made a commit, in the time zone they were in: `2026-01-02T03:04:05+02:00`, or `Z` for UTC. */
export function zonedTime({ at, zone = '+0000' }: GitPerson): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  const local = new Date(at + offset * 60_000).toISOString().slice(0, 19);
  return offset === 0 ? `${local}Z` : `${local}${sign}${hours}:${minutes}`;
}
