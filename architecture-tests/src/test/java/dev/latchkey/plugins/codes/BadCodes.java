package dev.latchkey.plugins.codes;

import dev.latchkey.auth.jwt.JwtSigner;

/** Breaks a rule, to show that it can fail: a plugin of ours that needs more of us than the SPI. */
public final class BadCodes {

    final Class<?> seen = JwtSigner.class;
}
