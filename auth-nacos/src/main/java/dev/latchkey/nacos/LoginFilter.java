package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers login, and the creation of the first administrator. The server's own controllers answer these requests only
 * for the types {@code nacos} and {@code ldap}. Also answers logout, which the server does not have. The answers have
 * the form that existing clients and the console expect.
 *
 * <p>Runs after the server's own filters, so that the server's switches for old paths still apply. The server and the
 * console each have this filter, with the same paths. Logins that must wait run on {@link LoginThreads}.
 */
final class LoginFilter implements Filter {

    private static final Logger LOG = LoggerFactory.getLogger(LoginFilter.class);

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;
    private static final int SERVER_ERROR = 500;

    private static final Set<String> LOGINS = Set.of("/v3/auth/user/login", "/v1/auth/users/login", "/v1/auth/login");

    private static final String CODE = "code";

    private final NacosLogins logins;
    private final LoginThreads threads;
    private final FirstAdmin firstAdmin;
    private final Map<String, Function<HttpServletRequest, HttpAnswer>> paths;

    LoginFilter(NacosLogins logins, LoginThreads threads, FirstAdmin firstAdmin) {
        this.logins = logins;
        this.threads = threads;
        this.firstAdmin = firstAdmin;
        paths = new HashMap<>(Map.of("/v3/auth/user/logout", this::logout, "/v3/auth/user/admin", this::admin));
        LOGINS.forEach(path -> paths.put(path, this::login));
    }

    static boolean isLogin(HttpServletRequest request) {
        return "POST".equals(request.getMethod()) && LOGINS.contains(request.getServletPath());
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        Function<HttpServletRequest, HttpAnswer> endpoint =
                "POST".equals(http.getMethod()) ? paths.get(http.getServletPath()) : null;
        if (endpoint == null) {
            chain.doFilter(request, response);
            return;
        }
        CurrentCall call = CurrentCall.get().orElse(null);
        if (call != null && isLogin(http) && threads.areFor(http)) {
            threads.answer(call, http, answer, () -> answer(http, endpoint));
        } else {
            answer(http, endpoint).write(answer);
        }
    }

    private static HttpAnswer answer(HttpServletRequest request, Function<HttpServletRequest, HttpAnswer> endpoint) {
        try {
            return endpoint.apply(request);
        } catch (AuthUnavailableException e) {
            if (e.kind() == AuthUnavailableException.Kind.OUTAGE) {
                LOG.error("A login is refused, since it could not be decided", e);
            }
            CurrentCall.get().ifPresent(call -> call.failed(e));
            return HttpAnswer.of(e);
        } catch (IllegalArgumentException e) {
            return HttpAnswer.failure(BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            LOG.error("{} failed", request.getServletPath(), e);
            return HttpAnswer.failure(SERVER_ERROR, "The server could not answer; its log says why");
        }
    }

    /** A name has priority over a token. With only a token, the answer contains the token's remaining lifetime. */
    private HttpAnswer login(HttpServletRequest request) {
        ShownCredentials shown = ShownCredentials.in(request);
        return (shown.username() == null
                        ? shown.token().flatMap(logins::byToken)
                        : logins.login(shown.username(), shown.password(), request.getParameter(CODE)))
                .map(LoginFilter::loggedIn)
                .orElseGet(() -> HttpAnswer.failure(FORBIDDEN, LatchkeyAuthenticationManager.REFUSED));
    }

    private static HttpAnswer loggedIn(NacosLogins.Login login) {
        LatchkeyUser user = login.user();
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("accessToken", user.getToken());
        body.put("tokenTtl", login.secondsLeft());
        body.put("globalAdmin", user.isGlobalAdmin());
        body.put("username", user.getUserName());
        return new HttpAnswer(OK, body, Map.of("Authorization", "Bearer " + user.getToken()));
    }

    /** Revokes the shown token. With a name, revokes all tokens of this subject; only administrators may do so. */
    private HttpAnswer logout(HttpServletRequest request) {
        String subject = request.getParameter(ShownCredentials.USERNAME);
        return subject == null || subject.isBlank() ? logoutOfToken(request) : logoutOfAll(request, subject);
    }

    private HttpAnswer logoutOfAll(HttpServletRequest request, String subject) {
        boolean mayDo = ShownCredentials.in(request)
                .token()
                .flatMap(logins::byToken)
                .filter(login -> login.user().isGlobalAdmin())
                .isPresent();
        if (!mayDo) {
            return HttpAnswer.failure(FORBIDDEN, "authorization failed!");
        }
        logins.logoutAll(subject);
        return HttpAnswer.of(OK, 0, "success", "logged out");
    }

    private HttpAnswer logoutOfToken(HttpServletRequest request) {
        return ShownCredentials.in(request).token().filter(logins::logout).isPresent()
                ? HttpAnswer.of(OK, 0, "success", "logged out")
                : HttpAnswer.failure(FORBIDDEN, "token invalid or expired!");
    }

    private HttpAnswer admin(HttpServletRequest request) {
        return firstAdmin
                .create(request.getParameter(ShownCredentials.PASSWORD))
                .map(user -> HttpAnswer.of(
                        OK, 0, "success", Map.of("username", user.getUsername(), "password", user.getPassword())))
                .orElseGet(() -> HttpAnswer.of(OK, CONFLICT, "have admin user cannot use it.", null));
    }
}
