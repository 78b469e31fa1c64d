package dev.latchkey.examples.apikey;

import dev.latchkey.auth.jwt.JwtSigner;

/** Breaks a rule on purpose: a third party's plugin needs more than the SPI. */
public final class BadPlugin {

    final Class<?> seen = JwtSigner.class;
}
