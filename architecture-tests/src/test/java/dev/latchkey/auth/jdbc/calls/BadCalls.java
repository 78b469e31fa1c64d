package dev.latchkey.auth.jdbc.calls;

import dev.latchkey.auth.jdbc.JdbcLoginStore;

/** Breaks a rule, to show that it can fail: sees a store. */
public final class BadCalls {

    final Class<?> store = JdbcLoginStore.class;
}
