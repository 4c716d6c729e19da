import type { z } from 'zod';
import { variable, wholeNumber } from './variable.js';

/** `owner/repo`, or `owner/*` for all of an owner's repositories. */
const REPOSITORY = /^[A-Za-z0-9][\w-]{0,38}\/(?:\*|[\w.-]{1,100})$/;

const TRANSCRIPTS = ['none', 'failed', 'all'] as const;

const perHour = (byDefault: number) =>
  variable(`use a whole number from 1 to 10000; without it, ${byDefault}.`, (text = String(byDefault)) =>
    wholeNumber(text, 1, 10_000),
  );

/** Which repositories are served, how many requests are allowed, and which transcripts are kept. */
export const limitsShape = {
  SLUICE_REPOSITORIES: variable(
    'list repositories as owner/repo or owner/*, with commas between them; without it, all the App is installed on.',
    (text = '') => {
      const names = text.split(',').map((name) => name.trim());
      const given = names.filter((name) => name !== '');
      return given.every((name) => REPOSITORY.test(name)) ? given : null;
    },
  ),
  SLUICE_STARTS_PER_HOUR: perHour(2),
  SLUICE_COMMANDS_PER_HOUR: perHour(10),
  SLUICE_OPEN_PULLS: variable('use a whole number from 1 to 1000; without it, 10.', (text = '10') =>
    wholeNumber(text, 1, 1_000),
  ),
  SLUICE_TRANSCRIPTS: variable(
    'use none, failed or all; without it, none.',
    (text = 'none') => TRANSCRIPTS.find((policy) => policy === text) ?? null,
  ),
};

export function limitsSettings(values: z.output<z.ZodObject<typeof limitsShape>>) {
  return {
    repositories: values.SLUICE_REPOSITORIES,
    requestQuota: { startsPerHour: values.SLUICE_STARTS_PER_HOUR, commandsPerHour: values.SLUICE_COMMANDS_PER_HOUR },
    limits: { maxOpenPulls: values.SLUICE_OPEN_PULLS },
    transcripts: values.SLUICE_TRANSCRIPTS,
  };
}
