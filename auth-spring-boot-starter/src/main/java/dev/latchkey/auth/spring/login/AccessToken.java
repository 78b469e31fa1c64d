package dev.latchkey.auth.spring.login;

import java.time.Duration;

/** An access token on its way to whoever logged in. No record, since a record prints its components. Immutable. */
public final class AccessToken {

    private final String value;
    private final Duration lifetime;

    AccessToken(String value, Duration lifetime) {
        this.value = value;
        this.lifetime = lifetime;
    }

    /**
     * The token itself, which is secret: it goes into the answer and nowhere else.
     *
     * @return a signed JSON Web Token
     */
    public String value() {
        return value;
    }

    /**
     * How long the token is good, counted from the login or refresh that it was issued at.
     *
     * @return a second at least
     */
    public Duration lifetime() {
        return lifetime;
    }
}
