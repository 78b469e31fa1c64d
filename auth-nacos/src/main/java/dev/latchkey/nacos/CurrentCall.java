package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The current call of a thread. The server does not tell the plugin whether a call uses HTTP or which header fields the
 * call has. The plugin also cannot choose the status of a rejection. A call belongs to one thread at a time.
 */
final class CurrentCall {

    private static final ThreadLocal<@Nullable CurrentCall> CURRENT = new ThreadLocal<>();

    private final ClientSource source;
    private final @Nullable HttpServletRequest request;
    private volatile @Nullable AuthUnavailableException unavailable;
    private Runnable atEnd = () -> {};
    private boolean endsLater;
    private boolean isWithoutHash;

    private CurrentCall(ClientSource source, @Nullable HttpServletRequest request) {
        this.source = source;
        this.request = request;
    }

    static CurrentCall of(HttpServletRequest request, TrustedProxies proxies) {
        ClientSource source = proxies.sourceOf(request.getRemoteAddr(), name -> valuesOf(request, name));
        return new CurrentCall(source, request);
    }

    /** A call by gRPC, with the connection's address. */
    static CurrentCall of(@Nullable String address, TrustedProxies proxies) {
        return new CurrentCall(proxies.sourceOf(address, name -> List.of()), null);
    }

    static Optional<CurrentCall> get() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** The source of this thread's call. */
    static ClientSource currentSource() {
        return get().map(CurrentCall::source).orElse(ClientSource.UNKNOWN);
    }

    /** Runs the work within this call. */
    <T> T within(Supplier<T> work) {
        CurrentCall before = begin();
        try {
            return work.get();
        } finally {
            end(before);
        }
    }

    /** Makes this call the current call of the thread. Returns the previous call, for {@link #end}. */
    @Nullable
    CurrentCall begin() {
        CurrentCall before = CURRENT.get();
        CURRENT.set(this);
        return before;
    }

    void end(@Nullable CurrentCall before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }

    ClientSource source() {
        return source;
    }

    /** A header field of this call, if the call uses HTTP. */
    Optional<String> header(String name) {
        return request == null ? Optional.empty() : Optional.ofNullable(request.getHeader(name));
    }

    /** The current call as a request for login sources: its header fields, and the client's address if known. */
    static RequestContext currentContext() {
        return get().map(CurrentCall::context).orElseGet(RequestContext::none);
    }

    private RequestContext context() {
        HttpServletRequest http = request;
        return RequestContext.of(name -> http == null ? List.of() : valuesOf(http, name), source::address);
    }

    boolean isHttp() {
        return request != null;
    }

    /** Sets the work for the time after the decision. The deciding thread runs the work. */
    void atEnd(Runnable work) {
        atEnd = work;
    }

    /** Notes that another thread decides the call, after the filters have returned. */
    void endsLater() {
        endsLater = true;
    }

    boolean isEndingLater() {
        return endsLater;
    }

    void ended() {
        atEnd.run();
    }

    /** Notes that this call found no room for a password hash. */
    void foundNoHash() {
        isWithoutHash = true;
    }

    boolean isWithoutHash() {
        return isWithoutHash;
    }

    /** Stores the reason for a missing decision, for {@link CallFilter}. */
    void failed(AuthUnavailableException why) {
        unavailable = why;
    }

    Optional<AuthUnavailableException> unavailable() {
        return Optional.ofNullable(unavailable);
    }

    private static List<String> valuesOf(HttpServletRequest request, String name) {
        return Collections.list(request.getHeaders(name));
    }
}
