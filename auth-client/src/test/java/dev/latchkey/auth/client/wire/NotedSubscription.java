package dev.latchkey.auth.client.wire;

import java.util.concurrent.Flow;

/** Notes what a subscriber asks of a body's publisher. */
public final class NotedSubscription implements Flow.Subscription {

    private boolean isCancelled;
    private long requested;

    @Override
    public void request(long pieces) {
        requested = pieces;
    }

    @Override
    public void cancel() {
        isCancelled = true;
    }

    public boolean isCancelled() {
        return isCancelled;
    }

    public long requested() {
        return requested;
    }
}
