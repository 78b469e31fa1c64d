package dev.latchkey.auth.redis;

import dev.latchkey.auth.cache.CachingPasswordEncoder;

/** Breaks a rule on purpose: uses a sibling. */
public final class BadRedis {

    final Class<?> sibling = CachingPasswordEncoder.class;
}
