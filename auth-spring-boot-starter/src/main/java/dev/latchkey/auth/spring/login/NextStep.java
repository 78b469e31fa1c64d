package dev.latchkey.auth.spring.login;

import java.time.Duration;
import java.util.Map;

/**
 * The credentials are right so far, and another step is wanted. Tells what leads to it. No record, since a record prints its components. Immutable.
 */
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
     * What is wanted of the caller.
     *
     * @return a method's name of RFC 8176, such as {@code otp}
     */
    public String method() {
        return method;
    }

    /**
     * What the caller needs for its response, such as the challenge of a passkey.
     *
     * @return unmodifiable; empty where the method says all
     */
    public Map<String, Object> parameters() {
        return parameters;
    }

    /**
     * What the caller sends back with the response to the step. It is good once, and secret.
     *
     * @return random, and opaque to the caller
     */
    public String continuation() {
        return continuation;
    }

    /**
     * How long the continuation is good, from now on.
     *
     * @return some minutes
     */
    public Duration lifetime() {
        return lifetime;
    }
}
