package dev.latchkey.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A listener with a list of its events. */
public final class HeardEvents implements ClientListener {

    private static final long LIMIT_SECONDS = 60;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();

    /** Guarded by the lock. */
    private final List<ClientEvent> events = new ArrayList<>();

    @Override
    public void on(ClientEvent event) {
        lock.lock();
        try {
            events.add(event);
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public <T extends ClientEvent> List<T> of(Class<T> kind) {
        lock.lock();
        try {
            return events.stream().filter(kind::isInstance).map(kind::cast).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there are so many of this kind. */
    public void await(Class<? extends ClientEvent> kind, int count) throws InterruptedException {
        long left = TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        lock.lock();
        try {
            while (of(kind).size() < count) {
                assertThat(left).as("time left to wait for " + kind).isPositive();
                left = told.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
