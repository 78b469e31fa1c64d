package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.cache.CachingPasswordEncoder;

/** Breaks a rule, to show that it can fail: sees a sibling. */
public final class BadJdbc {

    final Class<?> sibling = CachingPasswordEncoder.class;
}
