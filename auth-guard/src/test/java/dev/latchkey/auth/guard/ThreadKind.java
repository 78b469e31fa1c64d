package dev.latchkey.auth.guard;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Platform threads, and virtual threads if the JDK of the tests has them. */
public enum ThreadKind {
    PLATFORM,
    VIRTUAL;

    public static List<ThreadKind> all() {
        return Runtime.version().feature() < 21 ? List.of(PLATFORM) : List.of(values());
    }

    /** A thread for each task. By reflection, because the compiler's release is Java 17, without virtual threads. */
    public ExecutorService executor() throws ReflectiveOperationException {
        if (this == PLATFORM) {
            return Executors.newCachedThreadPool();
        }
        Method method = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
        return (ExecutorService) method.invoke(null);
    }
}
