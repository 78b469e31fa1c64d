package dev.latchkey.auth.client;

import java.util.concurrent.CompletableFuture;

/** A login that is under way, and for which all wait who need a token meanwhile. */
final class LoginFlight {

    /** Completed once, by the flight itself; nobody else gets hold of it. */
    private final CompletableFuture<Authorization> landing = new CompletableFuture<>();

    /**
     * Set where a token was refused while this one was under way: what it brings may be of before, and is not kept. Guarded by the lock of {@link SharedToken}.
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
