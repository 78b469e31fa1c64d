package dev.latchkey.auth.redis;

import dev.latchkey.auth.cache.CachingPasswordEncoder;

/** Breaks a rule, to show that it can fail: sees a sibling. */
public final class BadRedis {

    final Class<?> sibling = CachingPasswordEncoder.class;
}
