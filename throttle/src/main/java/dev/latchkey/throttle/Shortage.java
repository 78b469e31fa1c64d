package dev.latchkey.throttle;

/** What becomes of a request that finds too few tokens. */
enum Shortage {
    /** It waits until there are enough, and takes what there is meanwhile. */
    WAITS,
    /** It is refused, and takes nothing. */
    REFUSES
}
