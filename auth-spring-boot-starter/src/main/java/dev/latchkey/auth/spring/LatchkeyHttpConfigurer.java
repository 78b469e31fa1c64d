package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import org.springframework.context.ApplicationContext;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.annotation.web.configurers.ExceptionHandlingConfigurer;
import org.springframework.security.config.annotation.web.configurers.FormLoginConfigurer;
import org.springframework.security.config.annotation.web.configurers.HttpBasicConfigurer;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.csrf.CsrfFilter;

/**
 * Turns on plugins and tokens in a filter chain, in one line:
 *
 * <pre>{@code
 * http.with(latchkey(), withDefaults());
 * }</pre>
 *
 * <p>Requests with a bearer token, or with credentials that a plugin reads, are authenticated by the chain of plugins; the
 * login and logout endpoints are there where {@code latchkey.login.enabled} is set. HTTP Basic and all else that the chain has
 * stay as they are.
 */
public final class LatchkeyHttpConfigurer extends AbstractHttpConfigurer<LatchkeyHttpConfigurer, HttpSecurity> {

    private LatchkeyHttpConfigurer() {}

    /** A configurer for {@link HttpSecurity#with}. */
    public static LatchkeyHttpConfigurer latchkey() {
        return new LatchkeyHttpConfigurer();
    }

    @Override
    @SuppressWarnings("unchecked") // CsrfConfigurer is generic, its class object is not.
    public void init(HttpSecurity http) {
        CsrfConfigurer<HttpSecurity> csrf = http.getConfigurer(CsrfConfigurer.class);
        if (csrf != null) {
            // A header that a script must set on purpose is not sent by a foreign page, so there is nothing to forge.
            csrf.ignoringRequestMatchers(
                    request -> RequestCredentials.bearerToken(request).isPresent());
        }
        boolean hasOwnChallenge = http.getConfigurer(HttpBasicConfigurer.class) != null
                || http.getConfigurer(FormLoginConfigurer.class) != null;
        ExceptionHandlingConfigurer<HttpSecurity> handling = http.getConfigurer(ExceptionHandlingConfigurer.class);
        if (!hasOwnChallenge && handling != null) {
            handling.defaultAuthenticationEntryPointFor(
                    (request, response, failure) -> BearerChallenge.PLAIN.writeTo(response), request -> true);
        }
    }

    @Override
    public void configure(HttpSecurity http) {
        ApplicationContext context = http.getSharedObject(ApplicationContext.class);
        AuthChain plugins = context.getBean(AuthChain.class);
        http.addFilterBefore(new PluginAuthenticationFilter(plugins), BasicAuthenticationFilter.class);
        context.getBeanProvider(TokenEndpoint.class)
                .orderedStream()
                .forEach(endpoint -> http.addFilterBefore(new TokenEndpointFilter(endpoint), CsrfFilter.class));
    }
}
