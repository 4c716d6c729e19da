/* How many digits of a hash people have to give. */

/** The fewest digits the command parser accepts as a hash. */
export const SHORTEST_HASH = 7;

/**
 * Digits of a text's hash that people copy. An author could search for a harmless and a harmful text whose hashes begin alike, and swap
 * them after the approval. With twelve equal digits that takes seconds; with this many it is infeasible.
 */
export const TEXT_HASH_DIGITS = 32;
