package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.login.RefreshableLogins;
import dev.latchkey.auth.spring.login.TokenLogin;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.settings.LatchkeyProperties.ResponseShape;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The token endpoint: logins, second steps and refreshes, by {@code POST} of a form or of JSON. A request with a {@code grant_type} speaks OAuth
 * (RFC 6749), and so does its answer. A request without a grant type is a plain login: {@code username} and {@code password}, or {@code
 * refresh_token}, or {@code continuation} with the response to a step. Refusals of plain logins are problems (RFC 9457).
 *
 * <p>A page of another origin can post a form here and gains nothing: the answer begins no session, and is not readable for the page. The answer
 * sets a cookie only for a request with a CSRF token ({@link EndpointRequest#inCookies}). The body is bounded before parsing. A request with parameters in its URL is refused. All refusals of credentials are the same.
 *
 * @param plain the form of the answer to a request without a grant type
 */
record TokenEndpoint(
        String path,
        Dialect plain,
        LatchkeyProperties.Login settings,
        OAuthClients clients,
        TokenLogin login,
        @Nullable RefreshableLogins refreshable)
        implements AuthEndpoint {

    /** At the path below the base path. */
    TokenEndpoint(
            LatchkeyProperties.Login settings,
            OAuthClients clients,
            TokenLogin login,
            @Nullable RefreshableLogins refreshable) {
        this(settings.basePath() + "/token", Dialect.PLAIN, settings, clients, login, refreshable);
    }

    /** For clients with a path of their own: clients of Nacos, or clients of the service before Latchkey. */
    TokenEndpoint atSecondPath() {
        String second = Objects.requireNonNull(settings.path(), "latchkey.login.path");
        Dialect answer = settings.response() == ResponseShape.NACOS ? Dialect.NACOS : Dialect.PLAIN;
        return new TokenEndpoint(second, answer, settings, clients, login, refreshable);
    }

    @Override
    public boolean readsBody() {
        return true;
    }

    @Override
    public boolean speaksOAuth(EndpointRequest request) {
        return request.names(TokenRequest.GRANT_TYPE);
    }

    @Override
    public Answer answer(EndpointRequest request) {
        return request.withFields(
                fields -> answer(new TokenRequest(fields), request),
                // The body beyond the limit is not read, so its grant type is unknown.
                problem -> problem != Problem.CONTENT_TOO_LARGE && speaksOAuth(request)
                        ? TokenRefusal.unreadable(problem)
                        : Answer.of(problem));
    }

    private Answer answer(TokenRequest read, EndpointRequest request) {
        Dialect dialect = read.speaksOAuth() ? Dialect.ofGrant(read.grantType()) : plain;
        TokenRequest sent = dialect == Dialect.NACOS ? read.withNameIn(request.query()) : read;
        // RFC 6749 section 2.3.1: URLs end up in logs.
        if (request.query().isPresent() && dialect != Dialect.NACOS) {
            return dialect.of(TokenRefusal.INVALID_REQUEST);
        }
        OAuthClients.Decision client =
                read.speaksOAuth() ? clients.of(request, sent.fields()) : OAuthClients.Decision.NONE;
        if (client.refusal().isPresent()) {
            return dialect.of(client.refusal().get());
        }
        if (client.isClient() && !clients.mayUse(client.id(), sent.grantType())) {
            return dialect.of(TokenRefusal.UNAUTHORIZED_CLIENT);
        }
        Delivery delivery = Delivery.of(dialect, request, settings.refresh().idleLifetime());
        TokenRequest complete = delivery.cookies() == null ? sent : sent.withCarried(request.carriedRefresh());
        TokenLogin logins = login.ofClient(client.id());
        RequestContext context = request.context();
        return switch (complete.kind()) {
            case STEP -> step(complete, context, delivery, logins);
            case PASSWORD -> password(complete, context, delivery, logins);
            case REFRESH -> refresh(complete, delivery, client.id());
            case EXTENSION -> extension(complete, context, delivery, logins);
            case UNREADABLE -> delivery.of(TokenRefusal.INVALID_REQUEST);
        };
    }

    private static Answer step(TokenRequest sent, RequestContext context, Delivery delivery, TokenLogin logins) {
        return sent.response()
                .map(response -> delivery.of(
                        sent.isToBeRemembered()
                                ? logins.goOnAndRemember(sent.continuation(), response, context)
                                : logins.goOn(sent.continuation(), response, context)))
                .orElseGet(() -> delivery.of(TokenRefusal.INVALID_REQUEST));
    }

    private Answer password(TokenRequest sent, RequestContext context, Delivery delivery, TokenLogin logins) {
        if (delivery.dialect() == Dialect.OAUTH && !settings.passwordGrant()) {
            return delivery.of(TokenRefusal.UNSUPPORTED_GRANT_TYPE);
        }
        return sent.hasScope()
                ? delivery.of(TokenRefusal.INVALID_SCOPE)
                : sent.credentials()
                        .map(credentials -> delivery.of(
                                sent.wantsToBeRemembered()
                                        ? logins.loginAndRemember(credentials, context)
                                        : logins.login(credentials, context)))
                        .orElseGet(() -> delivery.of(TokenRefusal.INVALID_REQUEST));
    }

    private Answer refresh(TokenRequest sent, Delivery delivery, String client) {
        if (refreshable == null) {
            return delivery.of(TokenRefusal.UNSUPPORTED_GRANT_TYPE);
        }
        return sent.hasScope()
                ? delivery.of(TokenRefusal.INVALID_SCOPE)
                : delivery.of(refreshable.refresh(sent.refreshToken(), client));
    }

    private static Answer extension(TokenRequest sent, RequestContext context, Delivery delivery, TokenLogin logins) {
        if (!logins.grantTypes().contains(sent.grantType())) {
            return delivery.of(TokenRefusal.UNSUPPORTED_GRANT_TYPE);
        }
        return sent.grant()
                .flatMap(fields -> logins.read(sent.grantType(), fields, context))
                .map(credentials -> delivery.of(logins.login(credentials, context)))
                .orElseGet(() -> delivery.of(TokenRefusal.INVALID_REQUEST));
    }
}
