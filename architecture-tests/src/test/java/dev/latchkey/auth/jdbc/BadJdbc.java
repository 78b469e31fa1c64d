package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.cache.CachingPasswordEncoder;

/** Breaks a rule on purpose: uses a sibling. */
public final class BadJdbc {

    final Class<?> sibling = CachingPasswordEncoder.class;
}
