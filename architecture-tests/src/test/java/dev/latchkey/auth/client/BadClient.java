package dev.latchkey.auth.client;

import dev.latchkey.auth.cache.CachingPasswordEncoder;

/** Breaks a rule on purpose: uses a sibling. */
public final class BadClient {

    final Class<?> sibling = CachingPasswordEncoder.class;
}
