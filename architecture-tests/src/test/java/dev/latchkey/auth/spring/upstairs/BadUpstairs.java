package dev.latchkey.auth.spring.upstairs;

import dev.latchkey.auth.spring.downstairs.BadDownstairs;

/** Breaks a rule, to show that it can fail: needs the room that needs this one. */
public final class BadUpstairs {

    final Class<?> seen = BadDownstairs.class;
}
