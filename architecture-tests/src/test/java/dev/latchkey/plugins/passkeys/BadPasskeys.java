package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.jwt.JwtSigner;

/** Breaks a rule, to show that it can fail: a plugin of ours that needs more of us than the SPI. */
public final class BadPasskeys {

    final Class<?> seen = JwtSigner.class;
}
