package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import jakarta.servlet.Filter;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AbstractAuthenticationProcessingFilter;
import org.springframework.security.web.authentication.session.NullAuthenticatedSessionStrategy;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;

/**
 * Has the logins of a filter chain answer with tokens, where the chain says so by {@link LatchkeyHttpConfigurer#issueAfter}. The finished chain is looked at,
 * because some of Spring Security's configurers, that of passkeys for example, show their filter to nobody.
 */
final class IssuingLogins implements BeanPostProcessor {

    /** What a chain asks for. */
    record Wish(List<Class<? extends AbstractAuthenticationProcessingFilter>> logins, TokensAfterLogin handler) {

        private boolean isFor(Filter filter) {
            return filter instanceof AbstractAuthenticationProcessingFilter
                    && (logins.isEmpty() || logins.stream().anyMatch(login -> login.isInstance(filter)));
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof SecurityFilterChain chain) {
            chain.getFilters().stream()
                    .filter(PluginAuthenticationFilter.class::isInstance)
                    .forEach(filter -> ((PluginAuthenticationFilter) filter)
                            .issuing()
                            .ifPresent(wish -> apply(wish, chain.getFilters(), beanName)));
        }
        return bean;
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
            // A session would go on after the tokens are revoked.
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
