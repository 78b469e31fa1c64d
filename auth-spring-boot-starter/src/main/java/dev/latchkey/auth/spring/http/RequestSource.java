package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.RequestScope;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the request comes from that the calling thread works on. The outermost filter binds it, for as long as it has the request.
 *
 * <p>A thread that works on no request (a {@code Callable} of a controller, a job) has an unknown source, which has limits too.
 */
public final class RequestSource {

    private static final ThreadLocal<Supplier<ClientSource>> CURRENT = new ThreadLocal<>();

    private RequestSource() {}

    /**
     * Binds a source to the calling thread. Whoever does so binds the earlier one again in the end.
     *
     * @param source asked each time that somebody wants to know; null for none
     * @return the one that was bound before; null where there was none
     */
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

    /**
     * Hands a source on to other threads.
     *
     * @param source of a request
     * @return binds the source to whichever thread runs work in it, until that ends
     */
    public static RequestScope scopeOf(ClientSource source) {
        return new RequestScope() {
            @Override
            public <T> T call(Callable<? extends T> work) throws Exception {
                return RequestSource.call(source, work);
            }
        };
    }

    /**
     * Where the request comes from that the calling thread works on.
     *
     * @return unknown on a thread that works on none
     */
    public static ClientSource current() {
        Supplier<ClientSource> source = CURRENT.get();
        return source == null ? ClientSource.UNKNOWN : source.get();
    }

    /**
     * Whether the calling thread answers a request, which must not wait for long.
     *
     * @return false on a thread of the service's own, a job's say
     */
    public static boolean isBound() {
        return CURRENT.get() != null;
    }
}
