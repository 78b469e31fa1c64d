package dev.latchkey.auth.store;

import org.springframework.security.crypto.password.PasswordEncoder;

/** Breaks a rule, to show that it can fail: the stores' values see Spring. */
public final class BadStore {

    final Class<?> seen = PasswordEncoder.class;
}
