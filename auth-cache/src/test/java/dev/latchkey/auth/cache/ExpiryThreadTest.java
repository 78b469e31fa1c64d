package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExpiryThreadTest {

    private static final long LIMIT_SECONDS = 60;

    @Test
    void dueWork_runsOnAThreadOfTheCache_withoutAClassLoaderOfAService() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader services = new URLClassLoader(new URL[0], before);
                ExpiryThread expiry = new ExpiryThread()) {
            Thread.currentThread().setContextClassLoader(services);
            Thread thread = threadOf(expiry);
            assertThat(thread.getName()).isEqualTo(ExpiryThread.NAME);
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getContextClassLoader()).isNotSameAs(services);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void threadWithNothingToDo_ends_andAnotherIsThereWhenSomethingIs() throws Exception {
        try (ExpiryThread expiry = new ExpiryThread()) {
            Thread first = threadOf(expiry);
            first.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
            assertThat(first.isAlive()).isFalse();
            assertThat(threadOf(expiry)).isNotSameAs(first);
        }
    }

    @Test
    void closed_doesNothingMore_andItsThreadEnds() throws Exception {
        ExpiryThread expiry = new ExpiryThread();
        CompletableFuture<Thread> late = new CompletableFuture<>();
        Future<?> due = expiry.schedule(Runnable::run, () -> late.complete(Thread.currentThread()), 1, TimeUnit.HOURS);
        assertThat(due).isNotDone();
        Thread thread = threadOf(expiry);
        expiry.close();
        thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        assertThat(thread.isAlive()).isFalse();
        Future<?> refused =
                expiry.schedule(Runnable::run, () -> late.complete(Thread.currentThread()), 0, TimeUnit.SECONDS);
        assertThat(refused.isDone()).isTrue();
        assertThat(late).isNotDone();
    }

    private static Thread threadOf(ExpiryThread expiry) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<?> unused =
                expiry.schedule(Runnable::run, () -> thread.complete(Thread.currentThread()), 1, TimeUnit.MILLISECONDS);
        return thread.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
