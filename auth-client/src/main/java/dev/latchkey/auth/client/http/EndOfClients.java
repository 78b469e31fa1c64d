package dev.latchkey.auth.client.http;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.http.HttpClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The methods of {@link HttpClient} that end a client. The methods exist since JDK 21. This module is compiled for JDK
 * 17, so the methods are found at run time. A multi-release jar would contain the whole client twice for five calls.
 */
enum EndOfClients {
    SHUTDOWN("shutdown", MethodType.methodType(void.class)),
    SHUTDOWN_NOW("shutdownNow", MethodType.methodType(void.class)),
    CLOSE("close", MethodType.methodType(void.class)),
    IS_TERMINATED("isTerminated", MethodType.methodType(boolean.class)),
    AWAIT_TERMINATION("awaitTermination", MethodType.methodType(boolean.class, Duration.class));

    /** Null before JDK 21. */
    private final @Nullable MethodHandle method;

    EndOfClients(String name, MethodType type) {
        this.method = found(name, type);
    }

    private static @Nullable MethodHandle found(String name, MethodType type) {
        try {
            return MethodHandles.publicLookup().findVirtual(HttpClient.class, name, type);
        } catch (NoSuchMethodException e) {
            return null;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("HttpClient is public, and so are its methods", e);
        }
    }

    void of(HttpClient client) {
        try {
            call(client);
        } catch (InterruptedException e) {
            throw new IllegalStateException(this + " waits for nothing that can be interrupted", e);
        }
    }

    static boolean isTerminated(HttpClient client) {
        try {
            return Boolean.TRUE.equals(IS_TERMINATED.call(client));
        } catch (InterruptedException e) {
            throw new IllegalStateException("The question waits for nothing", e);
        }
    }

    static boolean awaitTermination(HttpClient client, Duration longest) throws InterruptedException {
        return !Boolean.FALSE.equals(AWAIT_TERMINATION.call(client, longest));
    }

    private @Nullable Object call(Object... clientAndArguments) throws InterruptedException {
        if (method == null) {
            return null;
        }
        try {
            return method.invokeWithArguments(clientAndArguments);
        } catch (RuntimeException | Error | InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("The client below threw what HttpClient does not declare", e);
        }
    }
}
