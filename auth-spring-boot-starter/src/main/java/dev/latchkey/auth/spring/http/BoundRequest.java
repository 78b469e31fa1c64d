package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * The request that a thread works on, as far as plugins may know it: for what decides a login and is not shown the request, an
 * authentication manager. Bound by a filter before Spring Security's, for as long as it has the request.
 */
public final class BoundRequest {

    private static final ThreadLocal<@Nullable RequestContext> CURRENT = new ThreadLocal<>();

    private BoundRequest() {}

    /** Binds it to this thread; which one was bound before. To be undone by binding that one. */
    public static @Nullable RequestContext bind(@Nullable RequestContext request) {
        RequestContext before = CURRENT.get();
        // Not removed, which would cost the thread's next request an entry: one without a value holds nothing.
        CURRENT.set(request);
        return before;
    }

    /** Whether the filter that binds it, and answers for refusals, is around what the calling thread does. */
    public static boolean isBound() {
        return CURRENT.get() != null;
    }

    /** None on a thread that answers no request. */
    public static RequestContext current() {
        RequestContext request = CURRENT.get();
        return request == null ? RequestContext.none() : request;
    }
}
