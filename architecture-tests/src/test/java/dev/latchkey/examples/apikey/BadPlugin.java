package dev.latchkey.examples.apikey;

import dev.latchkey.auth.jwt.JwtSigner;

/** Breaks a rule, to show that it can fail: a third party's plugin that needs more than the SPI. */
public final class BadPlugin {

    final Class<?> seen = JwtSigner.class;
}
