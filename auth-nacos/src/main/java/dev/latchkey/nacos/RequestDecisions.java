package dev.latchkey.nacos;

import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.exception.runtime.NacosRuntimeException;
import com.alibaba.nacos.plugin.auth.api.AuthResult;
import com.alibaba.nacos.plugin.auth.api.IdentityContext;
import com.alibaba.nacos.plugin.auth.api.Permission;
import com.alibaba.nacos.plugin.auth.constant.Constants.Identity;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUser;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides requests. For an HTTP request, no exception is thrown: the server would answer an exception with an empty 200.
 *
 * <p>If an HTTP request cannot be decided, the answer is a failure, and {@link CallFilter} corrects its status. If a gRPC
 * request cannot be decided, an exception is thrown, and the server answers with its own error. A failure of a gRPC
 * request would be a 403, and a client would then drop its token.
 */
final class RequestDecisions {

    private static final Logger LOG = LoggerFactory.getLogger(RequestDecisions.class);

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    /** A user, or the server's answer if there is none. */
    record Answer(@Nullable NacosUser user, int status, String message) {

        static Answer of(NacosUser user) {
            return new Answer(user, 0, "");
        }

        AuthResult<?> fold(Function<NacosUser, AuthResult<?>> success) {
            return user == null ? AuthResult.failureResult(status, message) : success.apply(user);
        }
    }

    private final NacosLogins logins;
    private final LatchkeyAuthenticationManager manager;
    private final TrustedProxies proxies;

    RequestDecisions(NacosLogins logins, LatchkeyAuthenticationManager manager, TrustedProxies proxies) {
        this.logins = logins;
        this.manager = manager;
        this.proxies = proxies;
    }

    /** Identifies the user of this request. */
    Answer identify(IdentityContext context) {
        CurrentCall call = CurrentCall.get().orElseGet(() -> CurrentCall.of(addressIn(context), proxies));
        return decide(
                call,
                () -> call.within(() -> {
                    ShownCredentials shown = ShownCredentials.in(context);
                    Optional<LatchkeyUser> user = shown.token().isPresent()
                            ? logins.byToken(shown.token().get()).map(NacosLogins.Login::user)
                            : logins.byPassword(shown.username(), shown.password())
                                    .or(logins::byHeaderFields);
                    String message = shown.token().isPresent()
                            ? "token invalid or expired!"
                            : LatchkeyAuthenticationManager.REFUSED;
                    return user.map(Answer::of).orElseGet(() -> new Answer(null, UNAUTHORIZED, message));
                }));
    }

    /** Whether the user has the permission. */
    Answer authorize(Optional<NacosUser> user, Permission permission) {
        CurrentCall call = CurrentCall.get().orElseGet(() -> CurrentCall.of((String) null, proxies));
        return decide(
                call,
                () -> user.filter(known -> manager.isAllowed(permission, known))
                        .map(Answer::of)
                        .orElseGet(() -> new Answer(null, FORBIDDEN, "authorization failed!")));
    }

    /** Whether there is no administrator; false if the roles cannot be read. */
    boolean isFirstAdminMissing() {
        try {
            return !manager.hasGlobalAdminRole();
        } catch (RuntimeException e) {
            LOG.warn("Whether there is an administrator cannot be read", e);
            return false;
        }
    }

    private static Answer decide(CurrentCall call, Supplier<Answer> decision) {
        AuthUnavailableException why;
        try {
            return decision.get();
        } catch (AuthUnavailableException e) {
            why = e;
        } catch (RuntimeException e) {
            why = AuthUnavailableException.outage("A request could not be decided", e);
        }
        if (why.kind() == AuthUnavailableException.Kind.OUTAGE) {
            LOG.error("A request is refused, since it could not be decided", why);
        }
        Refusal refusal = Refusal.of(why);
        if (!call.isHttp()) {
            throw new NacosRuntimeException(NacosException.SERVER_ERROR, refusal.message());
        }
        call.failed(why);
        return new Answer(null, refusal.status(), refusal.message());
    }

    /** The address of a gRPC call, written into the context by the server. */
    private static @Nullable String addressIn(IdentityContext context) {
        return context.getParameter(Identity.REMOTE_IP) instanceof String address ? address : null;
    }
}
