package dev.latchkey.auth.spring.login;

import java.time.Duration;

/** A token on its way to who logged in. No record: a record prints its components. */
public final class AccessToken {

    private final String value;
    private final Duration lifetime;

    AccessToken(String value, Duration lifetime) {
        this.value = value;
        this.lifetime = lifetime;
    }

    public String value() {
        return value;
    }

    public Duration lifetime() {
        return lifetime;
    }
}
