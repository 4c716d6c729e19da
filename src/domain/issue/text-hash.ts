/**
 * Digits of a text's hash that people copy. Whoever writes a text can look for two of which one is harmless, and show that one until it
 * is approved: with twelve equal digits that takes seconds, with these it is out of reach.
 */
export const TEXT_HASH_DIGITS = 32;
