package dev.latchkey.auth.cache;

/**
 * Overflows the stack here, before a flight starts, instead of during the end of a flight.
 *
 * <p>A load that overflows is harmless: its frames are gone before its caller cleans up. A caller near the end of the
 * stack could still register a flight and leave the flight in the map. {@link Flights} handles such a flight. This
 * check makes the case rare, because the size of frames depends on the compiler.
 */
final class StackRoom {

    /** More frames than the end of a flight and the wake-up of its waiters need. */
    private static final int FRAMES = 48;

    private StackRoom() {}

    /** @throws StackOverflowError if the remaining stack is too small */
    static void require() {
        descend(FRAMES);
    }

    private static int descend(int frames) {
        return frames == 0 ? 0 : 1 + descend(frames - 1);
    }
}
