package dev.latchkey.auth.spring.login;

import java.time.Duration;

/** An access token for the client. A record would print its components. Immutable. */
public final class AccessToken {

    private final String value;
    private final Duration lifetime;

    AccessToken(String value, Duration lifetime) {
        this.value = value;
        this.lifetime = lifetime;
    }

    /**
     * The token. Secret: write the value into the answer only.
     *
     * @return a signed JSON Web Token
     */
    public String value() {
        return value;
    }

    /**
     * The lifetime of the token, counted from its login or refresh.
     *
     * @return a second at least
     */
    public Duration lifetime() {
        return lifetime;
    }
}
