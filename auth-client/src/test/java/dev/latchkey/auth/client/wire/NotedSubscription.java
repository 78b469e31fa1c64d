package dev.latchkey.auth.client.wire;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/** Notes what a subscriber asks of a body's publisher. */
public final class NotedSubscription implements Flow.Subscription {

    private final CountDownLatch cancelled = new CountDownLatch(1);
    private long requested;

    @Override
    public void request(long pieces) {
        requested = pieces;
    }

    @Override
    public void cancel() {
        cancelled.countDown();
    }

    public boolean isCancelled() {
        return cancelled.getCount() == 0;
    }

    /** Waits, at most this long. */
    public boolean awaitCancel(long seconds) throws InterruptedException {
        return cancelled.await(seconds, TimeUnit.SECONDS);
    }

    public long requested() {
        return requested;
    }
}
