package dev.latchkey.auth.spring.upstairs;

import dev.latchkey.auth.spring.downstairs.BadDownstairs;

/** Breaks a rule on purpose: both rooms need each other. */
public final class BadUpstairs {

    final Class<?> seen = BadDownstairs.class;
}
