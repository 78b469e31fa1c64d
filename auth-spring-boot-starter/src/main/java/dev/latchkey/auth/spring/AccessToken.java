package dev.latchkey.auth.spring;

import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtRevocations;
import java.time.Duration;

/** A token on its way to who logged in. No record: a record prints its components. */
final class AccessToken {

    /** Where a token carries its subject's authorities; what {@code JwtAuthPlugin} reads unless told otherwise. */
    static final String AUTHORITIES_CLAIM = JwtAuthPlugin.AUTHORITIES_CLAIM;

    /** Which login a token belongs to, where that one can be prolonged; {@code JwtAuthPlugin} refuses it once that has ended. */
    static final String SESSION_CLAIM = JwtRevocations.SESSION_CLAIM;

    private final String value;
    private final Duration lifetime;

    AccessToken(String value, Duration lifetime) {
        this.value = value;
        this.lifetime = lifetime;
    }

    String value() {
        return value;
    }

    Duration lifetime() {
        return lifetime;
    }
}
