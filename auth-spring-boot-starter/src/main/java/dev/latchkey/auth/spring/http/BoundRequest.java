package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * The request that the calling thread works on, as far as plugins may know it. An authentication manager decides logins and is not shown their
 * request, so it asks here. A filter before Spring Security's binds it, for as long as it has the request.
 */
public final class BoundRequest {

    private static final ThreadLocal<@Nullable RequestContext> CURRENT = new ThreadLocal<>();

    private BoundRequest() {}

    /**
     * Binds a request to the calling thread. Whoever does so binds the earlier one again in the end.
     *
     * @param request null for none
     * @return the one that was bound before; null where there was none
     */
    public static @Nullable RequestContext bind(@Nullable RequestContext request) {
        RequestContext before = CURRENT.get();
        // Not removed, which would cost the thread's next request an entry: one without a value holds nothing.
        CURRENT.set(request);
        return before;
    }

    /**
     * Whether the calling thread is within the filter that binds requests, which answers for refusals too.
     *
     * @return false on a thread of the service's own, a job's say
     */
    public static boolean isBound() {
        return CURRENT.get() != null;
    }

    /**
     * The request that the calling thread works on.
     *
     * @return {@link RequestContext#none()} on a thread that answers no request
     */
    public static RequestContext current() {
        RequestContext request = CURRENT.get();
        return request == null ? RequestContext.none() : request;
    }
}
