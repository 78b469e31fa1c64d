package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.jwt.JwtSigner;

/** Breaks a rule on purpose: a plugin of this project needs more than the SPI. */
public final class BadApiKeys {

    final Class<?> seen = JwtSigner.class;
}
