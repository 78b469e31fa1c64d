package dev.latchkey.auth.test;

import dev.latchkey.auth.cache.CredentialCache;

/** Breaks a rule on purpose: test support that knows a part of the starter without replacing anything there. */
public final class BadSupport {

    final Class<?> seen = CredentialCache.class;
}
