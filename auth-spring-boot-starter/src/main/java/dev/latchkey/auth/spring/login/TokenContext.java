package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

/**
 * A login or refresh before its tokens are issued, for a {@link TokenCustomizer}. A record would print its components.
 * Immutable.
 */
public final class TokenContext {

    private final Authenticated login;
    private final RequestContext request;

    /** The options of the login; null at a refresh. */
    private final @Nullable TokenOptions options;

    private TokenContext(Authenticated login, RequestContext request, @Nullable TokenOptions options) {
        this.login = login;
        this.request = request;
        this.options = options;
    }

    /**
     * A login with a subject only, for tests of a customizer.
     *
     * @param subject the owner of the tokens
     * @return a login without details and without a request
     */
    public static TokenContext of(Subject subject) {
        return ofLogin(Authenticated.as(subject), RequestContext.none(), TokenOptions.defaults());
    }

    static TokenContext ofLogin(Authenticated login, RequestContext request, TokenOptions options) {
        return new TokenContext(login, request, options);
    }

    static TokenContext ofRefresh(Authenticated login) {
        return new TokenContext(login, RequestContext.none(), null);
    }

    /**
     * The owner of the tokens.
     *
     * @return with authorities and claims
     */
    public Subject subject() {
        return login.subject();
    }

    /**
     * The account as loaded for this login, so that the service needs no second query: the {@code UserDetails} of the plugin
     * {@code users}, the details of another plugin, or the principal of the {@link #authentication}.
     *
     * @param <T> the type of the account
     * @param type the class of the service's account
     * @return empty if nothing of this type was loaded
     */
    public <T> Optional<T> details(Class<T> type) {
        if (type.isInstance(login.details())) {
            return Optional.of(type.cast(login.details()));
        }
        return authentication()
                .map(Authentication::getPrincipal)
                .filter(type::isInstance)
                .map(type::cast);
    }

    /**
     * The login by Spring Security, if {@link TokenIssuer} issues the tokens.
     *
     * @return empty at the login endpoint and at a refresh
     */
    public Optional<Authentication> authentication() {
        return Optional.ofNullable(options).map(TokenOptions::login);
    }

    /**
     * The request of the login.
     *
     * @return without address and header fields at a refresh
     */
    public RequestContext request() {
        return request;
    }

    /**
     * Whether the client asked to be remembered: {@code remember_me}, {@code rememberMe} or {@code remember-me} with the value {@code true}.
     *
     * @return {@code false} at a refresh
     */
    public boolean isRemembered() {
        return options != null && options.isRemembered();
    }

    /**
     * Whether the tokens prolong a login.
     *
     * @return {@code false} at a login
     */
    public boolean isRefresh() {
        return options == null;
    }
}
