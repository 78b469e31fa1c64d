package dev.latchkey.auth.cache;

import dev.latchkey.auth.password.PasswordEncoders;

/**
 * Breaks several rules on purpose: open for extension, uses a sibling, locks a whole method, reads the time, has an overridable
 * layout.
 */
public class BadCache {

    final Class<?> seen = PasswordEncoders.class;
    final long time = System.currentTimeMillis();
    private int calls;

    synchronized int synchronizedMethod() {
        return ++calls;
    }

    public static Class<?> layoutWithAMethod() {
        return BadLayout.class;
    }

    /** Fields alone would be a layout; with a method it is a class to extend. */
    abstract static class BadLayout {
        long p00;

        long sum() {
            return p00;
        }
    }
}
