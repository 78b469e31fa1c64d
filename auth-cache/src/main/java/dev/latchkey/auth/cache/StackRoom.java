package dev.latchkey.auth.cache;

/**
 * Overflows the stack here, where nothing has begun, rather than in the midst of leaving a flight.
 *
 * <p>A load that overflows is harmless: by the time its caller cleans up, the frames are gone. A caller that is
 * itself a few frames from the end is not: it could still register a flight and then be unable to end it.
 */
final class StackRoom {

    /** More frames than leaving a flight and waking its waiters takes. */
    private static final int FRAMES = 48;

    private StackRoom() {}

    /** @throws StackOverflowError if there is not enough stack left */
    static void require() {
        descend(FRAMES);
    }

    private static int descend(int frames) {
        return frames == 0 ? 0 : 1 + descend(frames - 1);
    }
}
