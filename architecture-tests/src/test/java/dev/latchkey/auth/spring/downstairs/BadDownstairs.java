package dev.latchkey.auth.spring.downstairs;

import dev.latchkey.auth.spring.upstairs.BadUpstairs;

/** Breaks a rule on purpose: both rooms need each other. */
public final class BadDownstairs {

    final Class<?> seen = BadUpstairs.class;
}
