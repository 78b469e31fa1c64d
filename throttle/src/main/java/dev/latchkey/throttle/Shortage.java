package dev.latchkey.throttle;

/** The treatment of a request without enough tokens. */
enum Shortage {
    /** The request waits for enough tokens, and takes the present tokens meanwhile. */
    WAITS,
    /** The request is rejected, and takes nothing. */
    REFUSES
}
