package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.RequestScope;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the request comes from that a thread works on: bound by the outermost filter, for as long as it has the request.
 *
 * <p>A thread that works on none (a {@code Callable} of a controller, a job) has an unknown source, which has limits too.
 */
public final class RequestSource {

    private static final ThreadLocal<Supplier<ClientSource>> CURRENT = new ThreadLocal<>();

    private RequestSource() {}

    /** Binds it to this thread; which one was bound before. To be undone by binding that one. */
    public static @Nullable Supplier<ClientSource> bind(@Nullable Supplier<ClientSource> source) {
        Supplier<ClientSource> before = CURRENT.get();
        // Not removed, which would cost the thread's next request an entry: one without a value holds nothing.
        CURRENT.set(source);
        return before;
    }

    /** Runs the work with this source bound to its thread. */
    static <T> T call(ClientSource source, Callable<? extends T> work) throws Exception {
        Supplier<ClientSource> before = bind(() -> source);
        try {
            return work.call();
        } finally {
            bind(before);
        }
    }

    /** Has this source bound to whichever thread works within it. */
    public static RequestScope scopeOf(ClientSource source) {
        return new RequestScope() {
            @Override
            public <T> T call(Callable<? extends T> work) throws Exception {
                return RequestSource.call(source, work);
            }
        };
    }

    public static ClientSource current() {
        Supplier<ClientSource> source = CURRENT.get();
        return source == null ? ClientSource.UNKNOWN : source.get();
    }

    /** Whether the calling thread answers a request. */
    public static boolean isBound() {
        return CURRENT.get() != null;
    }
}
