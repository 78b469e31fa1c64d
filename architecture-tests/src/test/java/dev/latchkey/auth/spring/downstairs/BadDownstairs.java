package dev.latchkey.auth.spring.downstairs;

import dev.latchkey.auth.spring.upstairs.BadUpstairs;

/** Breaks a rule, to show that it can fail: needs the room that needs this one. */
public final class BadDownstairs {

    final Class<?> seen = BadUpstairs.class;
}
