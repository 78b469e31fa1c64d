package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;

/** Runs the same check on many threads at once: on platform threads and, if the JDK has them, on virtual threads. */
final class ManyThreads {

    static final int THREADS = 16;

    static final int ROUNDS = 8;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private ManyThreads() {}

    record Kind(String name, Supplier<ExecutorService> executor) {}

    static Stream<Kind> kinds() {
        Kind platform = new Kind("platform threads", () -> Executors.newFixedThreadPool(THREADS));
        return Stream.concat(Stream.of(platform), virtual());
    }

    /** By reflection, because Java 17 has no virtual threads. */
    private static Stream<Kind> virtual() {
        try {
            var method = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
            return Stream.of(new Kind("virtual threads", () -> {
                try {
                    return (ExecutorService) method.invoke(null);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            }));
        } catch (NoSuchMethodException e) {
            return Stream.empty();
        }
    }

    /** Runs several times on each thread; throws the first failure. */
    static void run(Kind kind, Executable check) throws Throwable {
        run(kind, ROUNDS, Duration.ZERO, check);
    }

    /** Runs this number of times on each thread, and then until the end of this time. */
    static void run(Kind kind, int rounds, Duration least, Executable check) throws Throwable {
        ExecutorService executor = kind.executor().get();
        try {
            CountDownLatch allThere = new CountDownLatch(THREADS);
            Callable<Void> task = () -> {
                allThere.countDown();
                allThere.await();
                long end = System.nanoTime() + least.toNanos();
                for (int round = 0; round < rounds || System.nanoTime() < end; round++) {
                    execute(check);
                }
                return null;
            };
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(executor.submit(task));
            }
            for (Future<Void> future : running) {
                future.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (TimeoutException e) {
            fail("Some of " + THREADS + " " + kind.name() + " got no answer within " + LONGEST.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw e.getCause();
        } finally {
            executor.shutdownNow();
        }
    }

    private static void execute(Executable check) throws Exception {
        try {
            check.execute();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
