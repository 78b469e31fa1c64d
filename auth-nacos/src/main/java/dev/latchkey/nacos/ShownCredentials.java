package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.api.IdentityContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The credentials of a call. A token in a header field has priority over a token in a parameter. The server itself has
 * the opposite order, but the author of a URL must not choose the user.
 */
final class ShownCredentials {

    static final String AUTHORIZATION = "Authorization";
    static final String ACCESS_TOKEN = "accessToken";
    static final String USERNAME = "username";
    static final String PASSWORD = "password";

    private final @Nullable String token;
    private final @Nullable String username;
    private final @Nullable String password;

    private ShownCredentials(@Nullable String token, @Nullable String username, @Nullable String password) {
        this.token = token == null || token.isBlank() ? null : token;
        this.username = username;
        this.password = password;
    }

    /**
     * Reads the server's parsed credentials, and the header fields of an HTTP request that the server has overwritten.
     */
    static ShownCredentials in(IdentityContext context) {
        Optional<CurrentCall> call = CurrentCall.get();
        String token = call.flatMap(http -> http.header(AUTHORIZATION))
                .flatMap(NacosLogins::bearer)
                .or(() -> call.flatMap(http -> http.header(ACCESS_TOKEN)))
                .or(() -> NacosLogins.bearer(text(context, AUTHORIZATION)))
                .orElseGet(() -> text(context, ACCESS_TOKEN));
        return new ShownCredentials(token, text(context, USERNAME), text(context, PASSWORD));
    }

    static ShownCredentials in(HttpServletRequest request) {
        String token = NacosLogins.bearer(request.getHeader(AUTHORIZATION))
                .or(() -> Optional.ofNullable(request.getHeader(ACCESS_TOKEN)))
                .orElseGet(() -> request.getParameter(ACCESS_TOKEN));
        return new ShownCredentials(token, request.getParameter(USERNAME), request.getParameter(PASSWORD));
    }

    Optional<String> token() {
        return Optional.ofNullable(token);
    }

    @Nullable
    String username() {
        return username;
    }

    @Nullable
    String password() {
        return password;
    }

    private static @Nullable String text(IdentityContext context, String name) {
        return context.getParameter(name) instanceof String text ? text : null;
    }

    @Override
    public String toString() {
        return "ShownCredentials[****]";
    }
}
