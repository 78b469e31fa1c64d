package dev.latchkey.auth.cache;

/**
 * Overflows the stack here, where nothing has begun, rather than in the midst of leaving a flight.
 *
 * <p>A load that overflows is harmless: by the time its caller cleans up, the frames are gone. A caller that is
 * itself a few frames from the end could still register a flight, and leave it in the map. {@link Flights} survives that;
 * here it is made rare, as frames differ in size with what the compiler makes of them.
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
