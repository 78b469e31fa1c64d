package dev.latchkey.throttle;

import dev.latchkey.auth.cache.CachingPasswordEncoder;

/** Breaks a rule, to show that it can fail: sees what a login is made of. */
public final class BadThrottle {

    final Class<?> login = CachingPasswordEncoder.class;
}
