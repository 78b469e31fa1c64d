package dev.latchkey.auth.cache;

import dev.latchkey.auth.password.PasswordEncoders;

/** Breaks rules, to show that they can fail: is open, sees a sibling, locks a whole method, asks for the time; and its layout can be overridden. */
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
