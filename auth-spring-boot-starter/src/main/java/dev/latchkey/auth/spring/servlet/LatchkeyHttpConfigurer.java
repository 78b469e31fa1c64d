package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.endpoint.AuthEndpoint;
import dev.latchkey.auth.spring.endpoint.LoginAnswers;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.CarriedTokens;
import dev.latchkey.auth.spring.http.Challenges;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.ProofDecision;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.ServletAnswers;
import dev.latchkey.auth.spring.http.ServletHeaders;
import dev.latchkey.auth.spring.http.TokenHeader;
import dev.latchkey.auth.spring.http.UnforgeableRequests;
import dev.latchkey.auth.spring.login.TokenOptions;
import dev.latchkey.auth.spring.login.TokenRevocation;
import dev.latchkey.auth.spring.plugin.LatchkeyAutoConfiguration;
import dev.latchkey.auth.spring.plugin.SessionRevocations;
import dev.latchkey.auth.spring.plugin.Subjects;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import dev.latchkey.auth.spring.token.RevocationReasons;
import dev.latchkey.auth.store.RevocationStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.ExceptionHandlingConfigurer;
import org.springframework.security.config.annotation.web.configurers.FormLoginConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.annotation.web.configurers.HttpBasicConfigurer;
import org.springframework.security.config.annotation.web.configurers.LogoutConfigurer;
import org.springframework.security.config.annotation.web.configurers.SessionManagementConfigurer;
import org.springframework.security.config.annotation.web.configurers.WebAuthnConfigurer;
import org.springframework.security.config.annotation.web.configurers.oauth2.server.resource.OAuth2ResourceServerConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.AccessDeniedHandlerImpl;
import org.springframework.security.web.authentication.AbstractAuthenticationProcessingFilter;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.authentication.logout.LogoutFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.filter.CorsFilter;

/**
 * Enables plugins and tokens in a filter chain, in one line:
 *
 * <pre>{@code
 * http.with(latchkey(), withDefaults());
 * }</pre>
 *
 * <p>The plugins authenticate requests with a bearer token, and requests with credentials that a plugin reads. With
 * {@code latchkey.login.enabled}, the filter chain has the login and logout endpoints. HTTP Basic and all other parts of the
 * filter chain are unchanged, except that {@link AuthChain#revokeAll} also ends the subject's HTTP sessions.
 *
 * <p>In an OAuth2 resource server, Spring's filter checks bearer tokens. With {@code latchkey.enabled=false}, this configurer
 * adds nothing.
 */
public final class LatchkeyHttpConfigurer extends AbstractHttpConfigurer<LatchkeyHttpConfigurer, HttpSecurity> {

    private @Nullable List<Class<? extends AbstractAuthenticationProcessingFilter>> issuing;
    private Function<? super Authentication, TokenOptions> options = login -> TokenOptions.defaults();

    private @Nullable LoginCookies cookies;

    private LatchkeyHttpConfigurer() {}

    /**
     * A configurer for {@link HttpSecurity#with}.
     *
     * @return a new object, because each chain needs its own
     */
    public static LatchkeyHttpConfigurer latchkey() {
        return new LatchkeyHttpConfigurer();
    }

    /**
     * Makes logins of this chain answer with tokens, as the token endpoint does: OAuth2, SAML, one-time tokens, passkeys, forms.
     * There is no redirect, no session and no remember-me cookie.
     *
     * @param logins the filters of the logins, such as {@code OAuth2LoginAuthenticationFilter}; none for every login of the chain
     * @return this object
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // The classes are only read.
    public final LatchkeyHttpConfigurer issueAfter(Class<? extends AbstractAuthenticationProcessingFilter>... logins) {
        issuing = List.of(logins);
        return this;
    }

    /**
     * Sets the options of the tokens that {@link #issueAfter} issues, such as the local account of an OpenID Connect login.
     *
     * @param options called at each login
     * @return this object
     */
    public LatchkeyHttpConfigurer issueWith(Function<? super Authentication, TokenOptions> options) {
        this.options = Objects.requireNonNull(options, "options");
        return this;
    }

    /**
     * Sends tokens in cookies, for a front end in a browser. Endpoints set cookies for requests with the header field
     * {@code Latchkey-Carrier: cookie}. With {@link #issueAfter}, every login sets cookies. The chain must have CSRF protection,
     * and no resource server. The logout of Spring Security revokes the tokens of the cookies too.
     *
     * @param cookies the names and attributes of the cookies
     * @return this object
     */
    public LatchkeyHttpConfigurer cookies(LoginCookies cookies) {
        this.cookies = Objects.requireNonNull(cookies, "cookies");
        return this;
    }

    @Override
    public void init(HttpSecurity http) {
        if (!isSwitchedOff(http)) {
            keepOutOfSessions(http);
            nameAllSchemes(http);
            ignoreInCsrf(http);
        }
        if (!isSwitchedOff(http) && !isResourceServer(http)) {
            TokenHeader header = tokenHeader(http);
            RequestMatcher hasToken = request -> header.isIn(ServletHeaders.of(request));
            answerInTheWayOfBearerTokens(http, hasToken);
            endCookiesAtLogout(http);
        }
    }

    @SuppressWarnings("unchecked") // LogoutConfigurer is generic, its class object is not.
    private void endCookiesAtLogout(HttpSecurity http) {
        LogoutConfigurer<HttpSecurity> logout = http.getConfigurer(LogoutConfigurer.class);
        if (cookies != null && logout != null) {
            logout.addLogoutHandler(new CookieLogout(
                    cookies, http.getSharedObject(ApplicationContext.class).getBeanProvider(TokenRevocation.class)));
        }
    }

    @Override
    public void configure(HttpSecurity http) {
        if (isSwitchedOff(http)) {
            return;
        }
        ApplicationContext context = http.getSharedObject(ApplicationContext.class);
        AuthChain plugins = required(AuthChain.class, context);
        RequestContexts contexts = RequestContexts.of(properties(http));
        PresentedCredentials credentials = isResourceServer(http)
                ? PresentedCredentials.OF_PLUGINS
                : PresentedCredentials.bearerOrOfPlugins(tokenHeader(http));
        http.addFilterBefore(
                new PluginAuthenticationFilter(
                        plugins,
                        credentials,
                        contexts,
                        getSecurityContextHolderStrategy(),
                        context.getBeanProvider(RevocationReasons.class).getIfAvailable(),
                        wish(context, contexts)),
                BasicAuthenticationFilter.class);
        http.addFilterBefore(
                new ForeignNameFilter(new Subjects(plugins), getSecurityContextHolderStrategy()),
                AnonymousAuthenticationFilter.class);
        if (hasPasskeysOfSpring(http)) {
            http.addFilterAfter(
                    new PasskeyOwnersFilter(
                            new Subjects(plugins), credentials, contexts, getSecurityContextHolderStrategy()),
                    AnonymousAuthenticationFilter.class);
        }
        SessionRevocations revocations = new SessionRevocations(
                plugins,
                required(RevocationStore.class, context),
                context.getBean(LatchkeyAutoConfiguration.CLOCK, InstantSource.class));
        http.addFilterBefore(
                new RevokedSessionFilter(revocations, getSecurityContextHolderStrategy()), LogoutFilter.class);
        List<AuthEndpoint> endpoints =
                context.getBeanProvider(AuthEndpoint.class).orderedStream().toList();
        if (!endpoints.isEmpty()) {
            http.addFilterBefore(new PreflightFilter(endpoints), CorsFilter.class);
        }
        endpoints.forEach(endpoint ->
                http.addFilterBefore(new TokenEndpointFilter(endpoint, contexts, cookies != null), CsrfFilter.class));
        if (cookies != null) {
            carry(cookies, endpoints, contexts, plugins, http);
        }
    }

    /** Adds the filters after Spring Security's CSRF filter, which rejects forged requests. */
    private static void carry(
            LoginCookies cookies,
            List<AuthEndpoint> endpoints,
            RequestContexts contexts,
            AuthChain plugins,
            HttpSecurity http) {
        requireCsrf(http);
        CarriedTokens carried = new CarriedTokens(cookies, tokenHeader(http), plugins);
        http.addFilterAfter(new CarriedTokenFilter(carried, contexts), CsrfFilter.class);
        endpoints.forEach(endpoint ->
                http.addFilterAfter(new TokenEndpointFilter(endpoint, contexts, cookies), CarriedTokenFilter.class));
    }

    @SuppressWarnings("unchecked") // CsrfConfigurer is generic, its class object is not.
    private static void requireCsrf(HttpSecurity http) {
        if (http.getConfigurer(CsrfConfigurer.class) == null) {
            throw new LatchkeyConfigurationException(
                    "A filter chain has latchkey().cookies(…), and csrf(…) is disabled: a page of another origin could use the"
                            + " cookies",
                    "Enable csrf(…) in this chain, or remove cookies(…).");
        }
        if (isResourceServer(http)) {
            throw new LatchkeyConfigurationException(
                    "A filter chain has latchkey().cookies(…) and oauth2ResourceServer(…), which reads no cookies",
                    "Remove one of both from the chain.");
        }
    }

    private ChainLogins.@Nullable Wish wish(ApplicationContext context, RequestContexts contexts) {
        if (issuing == null) {
            return null;
        }
        LoginAnswers answers = context.getBeanProvider(LoginAnswers.class).getIfAvailable(() -> {
            throw new LatchkeyConfigurationException(
                    "A filter chain has latchkey().issueAfter(…), and latchkey.login.enabled is not true",
                    "Set latchkey.login.enabled to true.");
        });
        return new ChainLogins.Wish(
                issuing, new TokensAfterLogin(answers, contexts, getSecurityContextHolderStrategy(), options, cookies));
    }

    /** The other rules of the chain stay, so a client with only Latchkey's credentials gets no access. */
    private static boolean isSwitchedOff(HttpSecurity http) {
        String enabled =
                http.getSharedObject(ApplicationContext.class).getEnvironment().getProperty("latchkey.enabled", "true");
        return enabled.equalsIgnoreCase("false");
    }

    /** In a test slice of Boot, the service's filter chain exists without the starter's beans. */
    private static <T> T required(Class<T> bean, ApplicationContext context) {
        return context.getBeanProvider(bean).getIfAvailable(() -> {
            throw new LatchkeyConfigurationException(
                    "A filter chain has latchkey(), and Latchkey's auto-configurations are not there: a test's slice needs @AutoConfigureLatchkeyTest",
                    "Add auth-test and write @AutoConfigureLatchkeyTest beside @WebMvcTest."
                            + " Elsewhere do not exclude them, or set latchkey.enabled to false.");
        });
    }

    private static TokenHeader tokenHeader(HttpSecurity http) {
        LatchkeyProperties properties = properties(http);
        return properties == null ? TokenHeader.AUTHORIZATION : TokenHeader.of(properties);
    }

    private static @Nullable LatchkeyProperties properties(HttpSecurity http) {
        return http.getSharedObject(ApplicationContext.class).getBeanProvider(LatchkeyProperties.class).stream()
                .findFirst()
                .orElse(null);
    }

    @SuppressWarnings("unchecked") // SessionManagementConfigurer is generic, its class object is not.
    private void keepOutOfSessions(HttpSecurity http) {
        SessionManagementConfigurer<HttpSecurity> sessions = http.getConfigurer(SessionManagementConfigurer.class);
        if (sessions != null) {
            sessions.addObjectPostProcessor(SessionsOfOthers.inChainsWith(getSecurityContextHolderStrategy()));
        }
    }

    @SuppressWarnings("unchecked") // As above.
    private static void nameAllSchemes(HttpSecurity http) {
        HeadersConfigurer<HttpSecurity> headers = http.getConfigurer(HeadersConfigurer.class);
        if (headers != null && http.getConfigurer(HttpBasicConfigurer.class) != null) {
            ApplicationContext context = http.getSharedObject(ApplicationContext.class);
            headers.addHeaderWriter(
                    new BasicAndOthers(SingletonSupplier.of(() -> Challenges.of(context.getBean(AuthChain.class)))));
        }
    }

    @SuppressWarnings("unchecked") // CsrfConfigurer is generic, its class object is not.
    private void ignoreInCsrf(HttpSecurity http) {
        CsrfConfigurer<HttpSecurity> csrf = http.getConfigurer(CsrfConfigurer.class);
        if (csrf != null) {
            RequestContexts contexts = RequestContexts.of(properties(http));
            UnforgeableRequests unforgeable =
                    new UnforgeableRequests(isResourceServer(http) ? null : tokenHeader(http), plugins(http), cookies);
            csrf.ignoringRequestMatchers(request -> unforgeable.contain(
                    contexts.of(ServletHeaders.of(request), () -> ServletHeaders.addressOf(request))));
        }
    }

    /** The plugins may need the filter chain, so the plugins are looked up at the first request. */
    private static Supplier<AuthChain> plugins(HttpSecurity http) {
        return SingletonSupplier.of(
                () -> http.getSharedObject(ApplicationContext.class).getBean(AuthChain.class));
    }

    @SuppressWarnings("unchecked") // As above.
    private static void answerInTheWayOfBearerTokens(HttpSecurity http, RequestMatcher hasToken) {
        ExceptionHandlingConfigurer<HttpSecurity> handling = http.getConfigurer(ExceptionHandlingConfigurer.class);
        if (handling == null) {
            return;
        }
        handling.defaultAccessDeniedHandlerFor(
                (request, response, denied) -> ServletAnswers.write(
                        ProofDecision.answerTo(denied).orElseGet(() -> Answer.of(BearerChallenge.INSUFFICIENT_SCOPE)),
                        response),
                hasToken);
        // With a single handler, Spring Security asks no matcher. Requests without a token would then lose the error
        // page of the
        // service.
        AccessDeniedHandler others = new AccessDeniedHandlerImpl();
        handling.defaultAccessDeniedHandlerFor(
                (request, response, denied) -> {
                    Optional<Answer> proof = ProofDecision.answerTo(denied);
                    if (proof.isPresent()) {
                        ServletAnswers.write(proof.get(), response);
                    } else {
                        others.handle(request, response, denied);
                    }
                },
                request -> true);
        Supplier<AuthChain> plugins = plugins(http);
        boolean hasOwnChallenge = http.getConfigurer(HttpBasicConfigurer.class) != null
                || http.getConfigurer(FormLoginConfigurer.class) != null;
        if (!hasOwnChallenge) {
            handling.defaultAuthenticationEntryPointFor(
                    (request, response, failure) -> Challenges.of(plugins.get()).writeTo(response), request -> true);
        }
    }

    @SuppressWarnings("unchecked") // As above.
    private static boolean isResourceServer(HttpSecurity http) {
        return http.getConfigurer(OAuth2ResourceServerConfigurer.class) != null;
    }

    @SuppressWarnings("unchecked") // As above.
    private static boolean hasPasskeysOfSpring(HttpSecurity http) {
        return http.getConfigurer(WebAuthnConfigurer.class) != null;
    }
}
