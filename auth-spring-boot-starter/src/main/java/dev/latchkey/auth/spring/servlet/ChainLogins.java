package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.plugin.Subjects;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import jakarta.servlet.Filter;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AbstractAuthenticationProcessingFilter;
import org.springframework.security.web.authentication.NullRememberMeServices;
import org.springframework.security.web.authentication.RememberMeServices;
import org.springframework.security.web.authentication.rememberme.RememberMeAuthenticationFilter;
import org.springframework.security.web.authentication.session.NullAuthenticatedSessionStrategy;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;

/**
 * Configures Spring Security's login filters in finished filter chains. Decides which logins a remember-me cookie may
 * keep, and which logins answer with tokens ({@link LatchkeyHttpConfigurer#issueAfter}). Some configurers of Spring
 * Security give no earlier access to their filter, for example the configurer of passkeys.
 */
final class ChainLogins implements BeanPostProcessor {

    /** The login filters that answer with tokens in a chain, and the handler that issues the tokens. */
    record Wish(List<Class<? extends AbstractAuthenticationProcessingFilter>> logins, TokensAfterLogin handler) {

        private boolean isFor(Filter filter) {
            return filter instanceof AbstractAuthenticationProcessingFilter
                    && (logins.isEmpty() || logins.stream().anyMatch(login -> login.isInstance(filter)));
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof SecurityFilterChain chain) {
            for (Filter filter : chain.getFilters()) {
                if (filter instanceof PluginAuthenticationFilter plugins) {
                    rememberOwnNames(plugins.subjects(), chain.getFilters());
                    plugins.issuing().ifPresent(wish -> apply(wish, chain.getFilters(), beanName));
                }
            }
        }
        return bean;
    }

    private static void rememberOwnNames(Subjects subjects, List<Filter> filters) {
        Predicate<String> revokedMeanwhile = filters.stream()
                .filter(RevokedSessionFilter.class::isInstance)
                .map(RevokedSessionFilter.class::cast)
                .findFirst()
                .<Predicate<String>>map(sessions -> sessions::isRevokedInThisRequest)
                .orElse(subject -> false);
        UnaryOperator<RememberMeServices> ownNames =
                cookies -> new NamesForCookies(cookies, subjects, revokedMeanwhile);
        for (Filter filter : filters) {
            if (filter instanceof AbstractAuthenticationProcessingFilter login
                    && !(login.getRememberMeServices() instanceof NullRememberMeServices)) {
                login.setRememberMeServices(ownNames.apply(login.getRememberMeServices()));
            }
            // This filter does not tell its services. Spring Security gives the filter the services of the chain.
            if (filter instanceof BasicAuthenticationFilter basic) {
                filters.stream()
                        .filter(RememberMeAuthenticationFilter.class::isInstance)
                        .map(each -> ((RememberMeAuthenticationFilter) each).getRememberMeServices())
                        .forEach(cookies -> basic.setRememberMeServices(ownNames.apply(cookies)));
            }
        }
    }

    private static void apply(Wish wish, List<Filter> filters, String chain) {
        List<AbstractAuthenticationProcessingFilter> logins = filters.stream()
                .filter(wish::isFor)
                .map(AbstractAuthenticationProcessingFilter.class::cast)
                .toList();
        wish.logins().stream()
                .filter(wanted -> logins.stream().noneMatch(wanted::isInstance))
                .findFirst()
                .ifPresent(missing -> {
                    throw missing(missing.getSimpleName(), chain);
                });
        if (logins.isEmpty()) {
            throw missing("login of Spring Security", chain);
        }
        for (AbstractAuthenticationProcessingFilter login : logins) {
            login.setAuthenticationSuccessHandler(wish.handler());
            // A session or a remember-me cookie would stay valid after the tokens are revoked, and would ignore a
            // missing step.
            login.setRememberMeServices(new NullRememberMeServices());
            login.setSecurityContextRepository(new RequestAttributeSecurityContextRepository());
            login.setSessionAuthenticationStrategy(new NullAuthenticatedSessionStrategy());
        }
    }

    private static LatchkeyConfigurationException missing(String login, String chain) {
        return new LatchkeyConfigurationException(
                "issueAfter(…) of the filter chain '" + chain + "' finds no " + login,
                "Add the login to the chain, with oauth2Login(…), oneTimeTokenLogin(…) or webAuthn(…) for example.");
    }
}
