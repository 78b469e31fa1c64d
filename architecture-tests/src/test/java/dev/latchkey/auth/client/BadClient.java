package dev.latchkey.auth.client;

import dev.latchkey.auth.cache.CachingPasswordEncoder;

/** Breaks a rule, to show that it can fail: sees a sibling. */
public final class BadClient {

    final Class<?> sibling = CachingPasswordEncoder.class;
}
