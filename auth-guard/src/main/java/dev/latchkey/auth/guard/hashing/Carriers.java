package dev.latchkey.auth.guard.hashing;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The platform threads that carry this machine's virtual threads.
 *
 * <p>A virtual thread gives its carrier back where it waits. A hash never waits, so it holds the carrier until it is done, and as
 * many hashes as there are carriers stop every other virtual thread. So virtual threads may compute fewer hashes at a time than
 * there are carriers; and where there is one carrier alone, a platform thread computes for them while they wait.
 *
 * @param number of carriers
 * @param isVirtual whether a thread is one that needs a carrier
 * @param platform computes for virtual threads where there is one carrier alone
 */
record Carriers(int number, Predicate<Thread> isVirtual, Executor platform) {

    private static final int IDLE_SECONDS = 10;
    private static final MethodHandle IS_VIRTUAL = isVirtualWhereThereAreAny();

    /** Those of this process; it has none, and needs none, before JDK 21. */
    static Carriers ofThisProcess() {
        return new Carriers(numberHere(), Carriers::isVirtual, threadsOnDemand());
    }

    /** How many hashes virtual threads may compute at a time: with one carrier alone, none of them is on it. */
    int mostHashes() {
        return number == 1 ? Integer.MAX_VALUE : number - 1;
    }

    /** Computes the hash on the calling thread, or for it where it would hold the one carrier that there is. */
    <T> T compute(Callable<T> hash) throws Exception {
        if (number > 1 || !isVirtual.test(Thread.currentThread())) {
            return hash.call();
        }
        FutureTask<T> elsewhere = new FutureTask<>(hash);
        platform.execute(elsewhere);
        return valueOf(elsewhere);
    }

    /** An interruption ends no hash on the thread's own carrier, so it does not here; the thread stays interrupted. */
    private static <T> T valueOf(FutureTask<T> hash) throws Exception {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return hash.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof Exception exception) {
                        throw exception;
                    }
                    throw (Error) e.getCause();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** As the JDK's scheduler counts them. */
    private static int numberHere() {
        int parallelism = Integer.getInteger(
                "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
        return Math.min(parallelism, Integer.getInteger("jdk.virtualThreadScheduler.maxPoolSize", parallelism));
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable e) {
            throw new IllegalStateException("This JDK does not say whether a thread is virtual", e);
        }
    }

    /** {@code Thread.isVirtual()}, which is newer than the release that this is compiled for. */
    private static MethodHandle isVirtualWhereThereAreAny() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return MethodHandles.dropArguments(MethodHandles.constant(boolean.class, false), 0, Thread.class);
        }
    }

    /** Without a bound of its own: who computes here has a permit. Nothing of the thread that asks is inherited. */
    private static Executor threadsOnDemand() {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                    Thread thread = new Thread(null, work, "latchkey-hash", 0, false);
                    thread.setDaemon(true);
                    return thread;
                });
    }
}
