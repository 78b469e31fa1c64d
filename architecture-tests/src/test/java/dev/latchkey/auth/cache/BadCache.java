package dev.latchkey.auth.cache;

import dev.latchkey.auth.password.PasswordEncoders;

/** Breaks rules, to show that they can fail: is open, sees a sibling, locks a whole method, asks for the time. */
public class BadCache {

    final Class<?> seen = PasswordEncoders.class;
    final long time = System.currentTimeMillis();
    private int calls;

    synchronized int synchronizedMethod() {
        return ++calls;
    }
}
