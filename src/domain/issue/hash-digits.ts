/* How many digits of a hash people have to give. */

/** As many digits as the command parser takes for a hash. */
export const SHORTEST_HASH = 7;

/**
 * Digits of a text's hash that people copy. Whoever writes a text can look for two of which one is harmless, and show that one until it
 * is approved: with twelve equal digits that takes seconds, with these it is out of reach.
 */
export const TEXT_HASH_DIGITS = 32;
