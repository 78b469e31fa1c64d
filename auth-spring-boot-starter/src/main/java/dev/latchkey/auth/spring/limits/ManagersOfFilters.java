package dev.latchkey.auth.spring.limits;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.BeanInitializationException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AbstractAuthenticationProcessingFilter;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.servletapi.SecurityContextHolderAwareRequestFilter;

/**
 * Decorates the managers of finished filter chains. A service may give a filter a manager of its own, which is no bean. Without the
 * decoration, the filter would have no limits and would ask for no second step.
 */
record ManagersOfFilters(UnaryOperator<AuthenticationManager> decorator) {

    void decorate(SecurityFilterChain chain, String name) {
        ManagerFields<AuthenticationManager> fields = new ManagerFields<>(AuthenticationManager.class, decorator);
        for (Filter filter : chain.getFilters()) {
            if (filter instanceof AuthenticationFilter login) {
                var resolver = login.getAuthenticationManagerResolver();
                login.setAuthenticationManagerResolver(request -> decorator.apply(resolver.resolve(request)));
            }
            fields.decorate(filter, name);
            if (filter instanceof SecurityContextHolderAwareRequestFilter logins) {
                renewFactory(logins);
            }
        }
    }

    /** For {@code HttpServletRequest.login}: the factory of requests has the manager from before the decoration. */
    private static void renewFactory(SecurityContextHolderAwareRequestFilter logins) {
        try {
            logins.afterPropertiesSet();
        } catch (ServletException e) {
            throw new BeanInitializationException("The filter for HttpServletRequest.login does not start again", e);
        }
    }

    /** For native images. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classes) {
            ManagerFields.register(hints, AuthenticationManager.class, AbstractAuthenticationProcessingFilter.class);
            ManagerFields.register(hints, AuthenticationManager.class, BasicAuthenticationFilter.class);
            ManagerFields.register(hints, AuthenticationManager.class, SecurityContextHolderAwareRequestFilter.class);
        }
    }
}
