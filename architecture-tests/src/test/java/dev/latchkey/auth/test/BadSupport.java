package dev.latchkey.auth.test;

import dev.latchkey.auth.jdbc.JdbcLoginStore;

/** Breaks a rule on purpose: test support that knows a part of the starter without replacing or emptying anything there. */
public final class BadSupport {

    final Class<?> seen = JdbcLoginStore.class;
}
