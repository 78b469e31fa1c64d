package dev.latchkey.throttle;

import dev.latchkey.auth.cache.CachingPasswordEncoder;

/** Breaks a rule on purpose: a throttle sees the parts of a login. */
public final class BadThrottle {

    final Class<?> login = CachingPasswordEncoder.class;
}
