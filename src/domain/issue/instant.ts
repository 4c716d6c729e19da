/** A moment, in milliseconds since the Unix epoch. In the state of an issue it is GitHub's clock. */
export type Instant = number;
