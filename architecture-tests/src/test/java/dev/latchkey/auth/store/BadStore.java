package dev.latchkey.auth.store;

import org.springframework.security.crypto.password.PasswordEncoder;

/** Breaks a rule on purpose: the stores' values use Spring. */
public final class BadStore {

    final Class<?> seen = PasswordEncoder.class;
}
