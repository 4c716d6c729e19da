/** What GitHub says when it has nothing to say. */
export const ZEN = 'Keep it logically awesome.';
