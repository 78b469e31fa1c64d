package dev.latchkey.auth.redis;

import java.util.concurrent.CompletableFuture;

/** A node of a comparison, with its own connections and threads. All nodes share a bucket. */
interface MeasuredNode extends AutoCloseable {

    /**
     * Asks for tokens of the common bucket.
     *
     * @return whether the request may go on; fails without a decision in time
     */
    CompletableFuture<Boolean> acquire();

    /** How often the node began to apply the whole rate alone. */
    long timesAlone();

    @Override
    void close();
}
