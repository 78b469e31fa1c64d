package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.engine.CurrentLogin.Part;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.store.StoreTime;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The request in a {@link CurrentLogin}: its client IP for the limits, and its header fields for plugins. The outermost filter
 * adds the client IP. The filter before Spring Security's filters adds the header fields, with the changes of the service's
 * earlier filters.
 *
 * <p>A thread without a request (a {@code Callable} of a controller, a job) has an unknown client IP, which has limits too.
 */
public final class CurrentRequest {

    private static final Part<Supplier<ClientSource>> SOURCE = new Part<>();
    private static final Part<RequestContext> CONTEXT = new Part<>();

    private CurrentRequest() {}

    /**
     * A login of a request from this client IP.
     *
     * @param login to be extended
     * @param source called each time the limits need the client IP
     * @return another object
     */
    public static CurrentLogin from(Supplier<ClientSource> source, CurrentLogin login) {
        return login.with(SOURCE, source);
    }

    /**
     * A login of a request with these header fields, and with one {@link StoreTime} for all store calls of the request.
     *
     * @param context for plugins
     * @param login to be extended
     * @return another object
     */
    public static CurrentLogin with(RequestContext context, CurrentLogin login) {
        return StoreTime.ofARequest().in(login).with(CONTEXT, context);
    }

    /**
     * The client IP of the calling thread's request.
     *
     * @return unknown on a thread without a request
     */
    public static ClientSource source() {
        return sourceOf(CurrentLogin.here());
    }

    /**
     * The client IP of a request.
     *
     * @param login of the request
     * @return unknown outside of a request
     */
    public static ClientSource sourceOf(CurrentLogin login) {
        Supplier<ClientSource> source = login.get(SOURCE);
        return source == null ? ClientSource.UNKNOWN : source.get();
    }

    /**
     * Whether the calling thread answers a request, and the service has login limits. Such a thread must not wait for long.
     *
     * @return false on a thread of the service's own, of a job for example
     */
    public static boolean hasSource() {
        return hasSource(CurrentLogin.here());
    }

    /**
     * Whether a login belongs to a request, and the service has login limits.
     *
     * @param login of the request
     * @return false outside of a request
     */
    public static boolean hasSource(CurrentLogin login) {
        return login.get(SOURCE) != null;
    }

    /**
     * The calling thread's request, as far as plugins may know it.
     *
     * @return {@link RequestContext#none()} on a thread without a request
     */
    public static RequestContext context() {
        return contextOf(CurrentLogin.here());
    }

    /**
     * A request, as far as plugins may know it.
     *
     * @param login of the request
     * @return {@link RequestContext#none()} outside of a request
     */
    public static RequestContext contextOf(CurrentLogin login) {
        RequestContext request = login.get(CONTEXT);
        return request == null ? RequestContext.none() : request;
    }

    /**
     * Whether the calling thread is within the filter that answers refusals.
     *
     * @return false on a thread of the service's own, of a job for example
     */
    public static boolean isAnswered() {
        @Nullable RequestContext request = CurrentLogin.here().get(CONTEXT);
        return request != null;
    }
}
