package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.DaemonThreads;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The platform threads that carry the virtual threads of this JVM.
 *
 * <p>A virtual thread releases its carrier during a wait. A hash never waits, and occupies the carrier until the hash
 * ends. If as many hashes run as there are carriers, all other virtual threads stop. Therefore virtual threads may
 * compute fewer hashes at a time than there are carriers. With a single carrier, a platform thread computes the hash,
 * and the virtual thread waits.
 *
 * @param number of carriers
 * @param isVirtual whether a thread needs a carrier
 * @param platform computes for virtual threads if there is a single carrier
 */
record Carriers(int number, Predicate<Thread> isVirtual, Executor platform) {

    private static final int IDLE_SECONDS = 10;
    private static final MethodHandle IS_VIRTUAL = isVirtualWhereThereAreAny();

    /** The carriers of this process; before JDK 21 there are no virtual threads. */
    static Carriers ofThisProcess() {
        return new Carriers(numberHere(), Carriers::isVirtual, threadsOnDemand());
    }

    /** The largest number of hashes by virtual threads. With a single carrier, no hash runs on the carrier. */
    int mostHashes() {
        return number == 1 ? Integer.MAX_VALUE : number - 1;
    }

    /** Computes the hash on the calling thread, or on a platform thread if the hash would hold the only carrier. */
    <T> T compute(Callable<T> hash) throws Exception {
        if (number > 1 || !isVirtual.test(Thread.currentThread())) {
            return hash.call();
        }
        FutureTask<T> elsewhere = new FutureTask<>(hash);
        platform.execute(elsewhere);
        return valueOf(elsewhere);
    }

    /**
     * Waits for the hash in spite of interruptions: a hash on the thread's own carrier would not end either. The thread
     * stays interrupted.
     */
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

    /** The number of carriers, by the rule of the JDK's scheduler. */
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

    /** {@code Thread.isVirtual()}. The method is newer than the Java release of this module. */
    private static MethodHandle isVirtualWhereThereAreAny() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return MethodHandles.dropArguments(MethodHandles.constant(boolean.class, false), 0, Thread.class);
        }
    }

    /** Has no limit of threads: each hash on these threads has a permit, and the permits are limited. */
    private static Executor threadsOnDemand() {
        ThreadFactory daemons = DaemonThreads.of(Carriers.class, "latchkey-hash");
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemons);
    }
}
