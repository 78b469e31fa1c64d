package dev.latchkey.auth.guard.hashing;

import static dev.latchkey.auth.guard.Until.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.internal.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Threads with one hash each. A hash ends when the test releases the thread. */
final class HashThreads implements AutoCloseable {

    /** How a thread asks. */
    @FunctionalInterface
    interface Way {
        String ask(long memoryBytes, Callable<String> hash) throws Exception;
    }

    /** One thread and its hash. */
    static final class Hash {

        final CompletableFuture<String> answer = new CompletableFuture<>();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch letGo = new CountDownLatch(1);
        Thread thread = Thread.currentThread();

        Hash begun() {
            await(begun);
            return this;
        }

        boolean hasBegun() {
            return begun.getCount() == 0;
        }

        /** Ends the hash, and waits for the end of the thread. */
        void end() {
            letGo.countDown();
            join();
        }

        void join() {
            try {
                thread.join(30_000);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertThat(thread.isAlive()).isFalse();
        }

        AuthUnavailableException refusal() {
            return (AuthUnavailableException) catchThrowable(() -> Futures.join(answer));
        }
    }

    private final HashingPermits permits;
    private final List<Hash> all = new ArrayList<>();
    private final Queue<String> order = new ConcurrentLinkedQueue<>();

    HashThreads(HashingPermits permits) {
        this.permits = permits;
    }

    Hash ask(String name, long memoryBytes, Way way) {
        Hash hash = new Hash();
        all.add(hash);
        hash.thread = new Thread(
                () -> {
                    try {
                        hash.answer.complete(way.ask(memoryBytes, () -> {
                            order.add(name);
                            hash.begun.countDown();
                            hash.letGo.await();
                            return name;
                        }));
                    } catch (Throwable e) {
                        hash.answer.completeExceptionally(e);
                    }
                },
                name);
        hash.thread.setDaemon(true);
        hash.thread.start();
        return hash;
    }

    /** Has begun. */
    Hash computing(String name, long memoryBytes) {
        return ask(name, memoryBytes, permits::call).begun();
    }

    /** Waits for a permit, behind all present waiters. */
    Hash waiting(String name, long memoryBytes) {
        return inQueue(name, memoryBytes, permits::call);
    }

    /** As {@link #waiting}, and answers no request. */
    Hash waitingPatiently(String name) {
        return inQueue(name, 0, permits::callPatiently);
    }

    private Hash inQueue(String name, long memoryBytes, Way way) {
        int before = permits.stats().waiting();
        Hash hash = ask(name, memoryBytes, way);
        until(() -> permits.stats().waiting() != before);
        return hash;
    }

    /** The hashes that have begun, by name. */
    List<String> order() {
        return List.copyOf(order);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        all.forEach(hash -> hash.letGo.countDown());
        all.forEach(Hash::join);
    }
}
