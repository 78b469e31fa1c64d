package dev.latchkey.auth.test;

import dev.latchkey.auth.cache.CredentialCache;

/** Breaks a rule, to show that it can fail: test support that knows a part of the starter which it puts nothing in the place of. */
public final class BadSupport {

    final Class<?> seen = CredentialCache.class;
}
