package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.jwt.JwtSigner;

/** Breaks a rule on purpose: a plugin of this project needs more than the SPI. */
public final class BadDirectory {

    final Class<?> seen = JwtSigner.class;
}
