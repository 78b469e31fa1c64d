package dev.latchkey.plugins.codes;

import dev.latchkey.auth.jwt.JwtSigner;

/** Breaks a rule on purpose: a plugin of this project needs more than the SPI. */
public final class BadCodes {

    final Class<?> seen = JwtSigner.class;
}
