package dev.latchkey.benchmarks.jwt;

import java.time.Duration;

/** The claims of a token; the seven are the registered claims of RFC 7519. */
public enum Content {
    THREE,
    SEVEN;

    static final String SUBJECT = "user-1234";
    static final String ISSUER = "https://login.example.com";
    static final String AUDIENCE = "https://api.example.com";
    static final String ID = "0e1d2c3b-4a59-4687-9f0e-1d2c3b4a5968";
    static final Duration LIFETIME = Duration.ofHours(5);

    /** Whether issuer, audience, not-before and id are there beside subject, issued-at and expiry. */
    boolean isFull() {
        return this == SEVEN;
    }
}
