package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The call that a thread works on. The server tells its plugin neither whether a call came by HTTP, nor its header fields, nor lets it
 * say with which status it is to be refused.
 */
final class CurrentCall {

    private static final ThreadLocal<@Nullable CurrentCall> CURRENT = new ThreadLocal<>();

    private final ClientSource source;
    private final @Nullable HttpServletRequest request;
    private @Nullable AuthUnavailableException unavailable;

    private CurrentCall(ClientSource source, @Nullable HttpServletRequest request) {
        this.source = source;
        this.request = request;
    }

    static CurrentCall of(HttpServletRequest request, TrustedProxies proxies) {
        ClientSource source = proxies.sourceOf(request.getRemoteAddr(), name -> valuesOf(request, name));
        return new CurrentCall(source, request);
    }

    /** A call by gRPC, whose connection has this address. */
    static CurrentCall of(@Nullable String address, TrustedProxies proxies) {
        return new CurrentCall(proxies.sourceOf(address, name -> List.of()), null);
    }

    static Optional<CurrentCall> get() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Where the call of this thread comes from. */
    static ClientSource currentSource() {
        return get().map(CurrentCall::source).orElse(ClientSource.UNKNOWN);
    }

    /** Works on this call within. */
    <T> T within(Supplier<T> work) {
        CurrentCall before = begin();
        try {
            return work.get();
        } finally {
            end(before);
        }
    }

    /** From now on this thread works on this call; to be handed to {@link #end}: what it worked on before. */
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

    /** A header field of this call, where it came by HTTP. */
    Optional<String> header(String name) {
        return request == null ? Optional.empty() : Optional.ofNullable(request.getHeader(name));
    }

    boolean isHttp() {
        return request != null;
    }

    /** Remembers why no decision was reached, for {@link CallFilter}. */
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
