package dev.latchkey.auth.client;

import java.util.concurrent.CompletableFuture;

/** A running login. Every caller without a token waits for the flight. */
final class LoginFlight {

    /** Only the flight itself completes this future, once. */
    private final CompletableFuture<Authorization> landing = new CompletableFuture<>();

    /**
     * True if a token was rejected during this login: the new token may be older than the rejection and is not kept.
     * Guarded by the lock of {@link SharedToken}.
     */
    private boolean isOutdated;

    CompletableFuture<Authorization> landing() {
        return landing;
    }

    boolean isOutdated() {
        return isOutdated;
    }

    void outdate() {
        isOutdated = true;
    }
}
