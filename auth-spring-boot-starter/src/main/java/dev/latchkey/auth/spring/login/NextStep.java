package dev.latchkey.auth.spring.login;

import java.time.Duration;
import java.util.Map;

/** The credentials are right so far, and the login needs another step. A record would print its components. Immutable. */
public final class NextStep implements LoginOutcome {

    private final String method;
    private final Map<String, Object> parameters;
    private final String continuation;
    private final Duration lifetime;

    NextStep(String method, Map<String, Object> parameters, String continuation, Duration lifetime) {
        this.method = method;
        this.parameters = parameters;
        this.continuation = continuation;
        this.lifetime = lifetime;
    }

    /**
     * The method of the step.
     *
     * @return a method of RFC 8176, such as {@code otp}
     */
    public String method() {
        return method;
    }

    /**
     * The data for the client's response, such as the challenge of a passkey.
     *
     * @return unmodifiable; empty if the method needs no data
     */
    public Map<String, Object> parameters() {
        return parameters;
    }

    /**
     * The continuation. The client sends the continuation back with the response to the step. Valid once, and secret.
     *
     * @return random, and opaque to the caller
     */
    public String continuation() {
        return continuation;
    }

    /**
     * The lifetime of the continuation, from now on.
     *
     * @return some minutes
     */
    public Duration lifetime() {
        return lifetime;
    }
}
