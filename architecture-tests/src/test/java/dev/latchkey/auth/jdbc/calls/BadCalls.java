package dev.latchkey.auth.jdbc.calls;

import dev.latchkey.auth.jdbc.JdbcLoginStore;

/** Breaks a rule on purpose: uses a store. */
public final class BadCalls {

    final Class<?> store = JdbcLoginStore.class;
}
