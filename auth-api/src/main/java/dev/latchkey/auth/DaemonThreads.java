package dev.latchkey.auth;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * Daemon threads that take no state from the thread that creates them.
 *
 * <p>By default, a new thread inherits the {@link InheritableThreadLocal}s and the context class loader of its creator.
 * The creator is often the thread of a request. A background thread lives on, and its later tasks would run with the
 * tenant or the security context of that request. A plugin may use these threads too.
 */
public final class DaemonThreads {

    private DaemonThreads() {}

    /**
     * A factory of threads, safe for use by any number of threads.
     *
     * @param owner whose class loader is the context class loader of each thread
     * @param name of each thread
     * @return the factory; a thread with a single task is made by it too
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
