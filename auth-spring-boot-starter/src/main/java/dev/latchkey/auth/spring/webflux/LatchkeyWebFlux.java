package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.access.PermissionPattern;
import dev.latchkey.auth.spring.access.ReactiveRule;
import dev.latchkey.auth.spring.http.CarriedTokens;
import dev.latchkey.auth.spring.http.Challenges;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.http.UnforgeableRequests;
import dev.latchkey.auth.spring.plugin.ReactivePlugins;
import dev.latchkey.auth.spring.plugin.SessionRevocations;
import dev.latchkey.auth.spring.plugin.Subjects;
import dev.latchkey.auth.spring.token.RevocationReasons;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.ReactiveAuthorizationManager;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;
import org.springframework.security.web.server.authorization.AuthorizationContext;
import org.springframework.security.web.server.csrf.CsrfWebFilter;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/**
 * Enables plugins and tokens in a WebFlux filter chain, in one line of the chain's bean:
 *
 * <pre>{@code
 * SecurityWebFilterChain api(ServerHttpSecurity http, LatchkeyWebFlux latchkey) {
 *     return latchkey.addTo(http).authorizeExchange(…).build();
 * }
 * }</pre>
 *
 * <p>The plugins authenticate requests with a bearer token, and requests with credentials that a plugin reads. With
 * {@code latchkey.login.enabled}, the filter chain has the endpoints for login, logout, revocation and refresh. HTTP Basic and
 * all other parts of the filter chain are unchanged. Safe to add to any number of chains.
 */
public final class LatchkeyWebFlux {

    private final ReactivePlugins plugins;
    private final ReactiveAuthenticationManager passwords;
    private final TokenHeader header;
    private final RequestContexts contexts;
    private final List<ReactiveEndpointFilter> endpoints;
    private final ReactivePreflightFilter preflights;
    private final ReactiveRefusals refusals;
    private final @Nullable RevocationReasons reasons;
    private final SessionRevocations sessions;
    private volatile boolean isInAChain;

    LatchkeyWebFlux(
            ReactivePlugins plugins,
            ReactiveAuthenticationManager passwords,
            TokenHeader header,
            RequestContexts contexts,
            List<ReactiveEndpointFilter> endpoints,
            ReactivePreflightFilter preflights,
            ReactiveRefusals refusals,
            @Nullable RevocationReasons reasons,
            SessionRevocations sessions) {
        this.sessions = sessions;
        this.reasons = reasons;
        this.plugins = plugins;
        this.passwords = passwords;
        this.refusals = refusals;
        this.header = header;
        this.contexts = contexts;
        this.endpoints = List.copyOf(endpoints);
        this.preflights = preflights;
    }

    /**
     * Adds the filters to a chain.
     *
     * @param http the chain, before {@code build()}
     * @return the same object
     */
    public ServerHttpSecurity addTo(ServerHttpSecurity http) {
        http.addFilterAfter(new ReactiveProofFilter(), SecurityWebFiltersOrder.EXCEPTION_TRANSLATION);
        return add(header, PresentedCredentials.bearerOrOfPlugins(header), http);
    }

    /**
     * Adds the filters to a chain, with tokens in cookies for a front end in a browser. Endpoints set cookies for requests with
     * the header field {@code Latchkey-Carrier: cookie}. The chain must have CSRF protection. Without CSRF protection, a request
     * that carries or asks for such cookies is answered with 500.
     *
     * @param http the chain, before {@code build()}
     * @param cookies the names and attributes of the cookies
     * @return the same object
     */
    public ServerHttpSecurity addTo(ServerHttpSecurity http, LoginCookies cookies) {
        addOutermost(header, http);
        CarriedTokens carried = new CarriedTokens(cookies, header, plugins.chain());
        UnforgeableRequests unforgeable = unforgeable(header, cookies);
        http.addFilterBefore(withoutCsrfFor(unforgeable), SecurityWebFiltersOrder.CSRF);
        http.addFilterAfter(new ReactiveProofFilter(), SecurityWebFiltersOrder.EXCEPTION_TRANSLATION);
        endpoints.forEach(endpoint -> http.addFilterBefore(endpoint.leavingCookies(), SecurityWebFiltersOrder.CSRF));
        http.addFilterAfter(
                new ReactiveCarriedTokenFilter(carried, unforgeable, contexts), SecurityWebFiltersOrder.CSRF);
        endpoints.forEach(endpoint -> http.addFilterAfter(endpoint.inCookies(cookies), SecurityWebFiltersOrder.CSRF));
        return addPlugins(PresentedCredentials.bearerOrOfPlugins(header), http);
    }

    /**
     * Adds the filters to the chain of an OAuth2 resource server. The resource server checks bearer tokens itself.
     *
     * @param http the chain, before {@code build()}
     * @return the same object
     */
    public ServerHttpSecurity addToResourceServer(ServerHttpSecurity http) {
        return add(null, PresentedCredentials.OF_PLUGINS, http);
    }

    /** @param tokens the field of tokens in this chain; null if the chain reads no tokens of Latchkey */
    private ServerHttpSecurity add(
            @Nullable TokenHeader tokens, PresentedCredentials credentials, ServerHttpSecurity http) {
        addOutermost(tokens, http);
        http.addFilterBefore(withoutCsrfFor(unforgeable(tokens, null)), SecurityWebFiltersOrder.CSRF);
        endpoints.forEach(endpoint -> http.addFilterBefore(endpoint, SecurityWebFiltersOrder.CSRF));
        return addPlugins(credentials, http);
    }

    private void addOutermost(@Nullable TokenHeader tokens, ServerHttpSecurity http) {
        isInAChain = true;
        http.addFilterBefore(
                new ReactiveRevokedSessionFilter(sessions, plugins, refusals, tokens),
                SecurityWebFiltersOrder.HTTPS_REDIRECT);
        if (!endpoints.isEmpty()) {
            http.addFilterBefore(preflights, SecurityWebFiltersOrder.CORS);
        }
    }

    private ServerHttpSecurity addPlugins(PresentedCredentials credentials, ServerHttpSecurity http) {
        http.addFilterBefore(
                new ReactiveForeignNameFilter(new Subjects(plugins.chain())),
                SecurityWebFiltersOrder.ANONYMOUS_AUTHENTICATION);
        return http.addFilterBefore(
                new ReactivePluginFilter(plugins, credentials, contexts, refusals, reasons),
                SecurityWebFiltersOrder.HTTP_BASIC);
    }

    /** Whether the filters were added to any chain so far. */
    boolean isInAChain() {
        return isInAChain;
    }

    private UnforgeableRequests unforgeable(@Nullable TokenHeader tokens, @Nullable LoginCookies cookies) {
        return new UnforgeableRequests(tokens, plugins::chain, cookies);
    }

    private WebFilter withoutCsrfFor(UnforgeableRequests unforgeable) {
        return (exchange, chain) -> Mono.deferContextual(subscriber -> {
            if (unforgeable.contain(
                    contexts.of(ReactiveHeaders.of(exchange), () -> ReactiveSource.addressOf(exchange, subscriber)))) {
                CsrfWebFilter.skipExchange(exchange);
            }
            return chain.filter(exchange);
        });
    }

    /**
     * A manager that asks the plugins about the passwords of HTTP Basic and forms. For a service whose own manager does not ask
     * the plugins:
     *
     * <pre>{@code
     * http.authenticationManager(latchkey.passwords());
     * }</pre>
     *
     * <p>If Spring Security provides the manager, and a plugin besides {@code users} decides passwords, the plugin is asked even
     * without this manager.
     *
     * @return a manager for any number of chains
     */
    public ReactiveAuthenticationManager passwords() {
        return passwords;
    }

    /**
     * A rule for a filter chain that asks the plugins, without blocking an event loop:
     *
     * <pre>{@code
     * http.authorizeExchange(exchanges -> exchanges
     *         .pathMatchers(GET, "/namespaces/{ns}/config").access(latchkey.permission("ns:{ns}:config", "r"))
     *         .anyExchange().denyAll());
     * }</pre>
     *
     * <p>The first plugin that does not abstain decides. The rule denies access if every plugin abstains, or if the caller is
     * unauthenticated. The rule also denies access if the value of a variable is blank, or has a character that separates the
     * parts of the resource's name. If a plugin is down, the request is not denied, but answered with 503.
     *
     * @param resource the name of the resource, with variables of the matcher's path in braces
     * @param action the action on the resource, as the plugins name the action
     * @return a manager for {@code access(…)} after a matcher with these variables
     * @throws IllegalArgumentException if the resource is not a valid pattern, or the action is blank
     */
    public ReactiveAuthorizationManager<AuthorizationContext> permission(String resource, String action) {
        Subjects subjects = new Subjects(plugins.chain());
        PermissionPattern pattern = PermissionPattern.of(resource, action);
        return new ReactiveRule((login, request) -> login.mapNotNull(
                        caller -> subjects.of(caller).orElse(null))
                .flatMap(subject -> Mono.justOrEmpty(pattern.resolve(request.getVariables()))
                        .flatMap(permission -> plugins.authorize(subject, permission)))
                .defaultIfEmpty(false)
                .map(AuthorizationDecision::new));
    }

    /**
     * An entry point that asks for the credentials of the plugins: a bearer token (RFC 6750 section 3), and the plugins' own
     * kinds of credentials. A chain bean without a login of Spring Security asks for these credentials by itself. This entry
     * point adds a problem as the body:
     *
     * <pre>{@code
     * http.exceptionHandling(handling -> handling.authenticationEntryPoint(latchkey.challenge()));
     * }</pre>
     *
     * @return an entry point that answers with 401
     */
    public ServerAuthenticationEntryPoint challenge() {
        Challenges challenges = Challenges.of(plugins.chain());
        return (exchange, failure) -> ReactiveAnswers.write(challenges.answer(), exchange);
    }
}
