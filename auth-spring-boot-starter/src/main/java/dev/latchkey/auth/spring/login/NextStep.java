package dev.latchkey.auth.spring.login;

import java.time.Duration;

/** That another step is wanted, and what leads to it. No record: a record prints its components. */
public final class NextStep implements LoginOutcome {

    private final String method;
    private final String continuation;
    private final Duration lifetime;

    NextStep(String method, String continuation, Duration lifetime) {
        this.method = method;
        this.continuation = continuation;
        this.lifetime = lifetime;
    }

    /** What is wanted, by its name of RFC 8176: {@code otp}. */
    public String method() {
        return method;
    }

    /** To be sent back with the response, once. Opaque. */
    public String continuation() {
        return continuation;
    }

    /** For how long it is good. */
    public Duration lifetime() {
        return lifetime;
    }
}
