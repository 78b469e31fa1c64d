package dev.latchkey.auth.spring;

import java.time.Duration;

/** A token on its way to who logged in. No record: a record prints its components. */
final class AccessToken {

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
