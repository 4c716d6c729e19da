/** A moment, in milliseconds since the Unix epoch. In the state of an issue it is GitHub's clock. */
export type Instant = number;

/** ISO 8601, to the millisecond: `2026-01-05T12:30:00.000Z`. */
export const formatInstant = (at: Instant): string => new Date(at).toISOString();
