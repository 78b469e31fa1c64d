package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.jwt.JwtSigner;

/** Breaks a rule, to show that it can fail: a plugin of ours that needs more of us than the SPI. */
public final class BadDirectory {

    final Class<?> seen = JwtSigner.class;
}
