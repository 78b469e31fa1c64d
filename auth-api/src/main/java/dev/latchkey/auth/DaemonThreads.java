package dev.latchkey.auth;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * Creates daemon threads that inherit no state from the creating thread.
 *
 * <p>By default, a new thread inherits the {@link InheritableThreadLocal}s and the context class loader of its creator.
 * The creator is often the thread of a request. A background thread outlives the request. Its later tasks would run
 * with the tenant or the security context of that request. A plugin may use these threads too.
 */
public final class DaemonThreads {

    private DaemonThreads() {}

    /**
     * A factory of threads, safe for use by any number of threads.
     *
     * @param owner the class whose class loader becomes the context class loader of each thread
     * @param name the name of each thread
     * @return the factory, also for a thread with a single task
     */
    public static ThreadFactory of(Class<?> owner, String name) {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(name, "name");
        return task -> {
            Thread thread = new Thread(null, task, name, 0, false);
            thread.setContextClassLoader(owner.getClassLoader());
            thread.setDaemon(true);
            return thread;
        };
    }
}
